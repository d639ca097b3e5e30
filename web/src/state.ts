// What the page knows, as signals.

import { signal } from '@preact/signals';
import type { Certificate, Listing, Look } from './engine/words';

export type Drag = 'force' | 'follow' | 'pin';
export type Theme = 'system' | 'light' | 'dark';

export const library = signal<Listing[]>([]);
export const look = signal<Look | null>(null);
export const certificate = signal<Certificate | null>(null);
export const stepTime = signal<number | null>(null);
export const running = signal(false);
export const drag = signal<Drag>('follow');
export const theme = signal<Theme>('system');
/** The body that is held. */
export const held = signal<string | null>(null);
/** Why there is no picture, in words. */
export const trouble = signal<string | null>(null);
/** What went wrong last, in words. */
export const fault = signal<string | null>(null);
