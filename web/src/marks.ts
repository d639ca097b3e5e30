// What is known, put into the picture: joints that repeat or contradict each other, and forces.

import { effect } from '@preact/signals';
import { onTold } from './actions';
import type { Findings, Vec3 } from './engine/words';
import { arrowsOf } from './now';
import * as state from './state';

export type Warning = 'redundant' | 'contradictory' | 'undetermined';

/** What a picture can point out. */
export interface Picture {
  setWarnings?: (warnings: ReadonlyMap<string, Warning>) => void;
  showForces?: (arrows: { point: Vec3; force: Vec3 }[] | null) => void;
}

/** The worst that is to be said of each joint. */
export const warningsOf = (findings: Findings | null): Map<string, Warning> => {
  const warnings = new Map<string, Warning>();
  for (const joint of findings?.undetermined ?? []) warnings.set(joint, 'undetermined');
  for (const { joint } of findings?.redundant ?? []) warnings.set(joint, 'redundant');
  for (const { joint } of findings?.contradictory ?? []) warnings.set(joint, 'contradictory');
  return warnings;
};

export const markPicture = (picture: Picture): void => {
  effect(() => picture.setWarnings?.(warningsOf(state.findings.value)));
  effect(() => {
    if (!state.forcesShown.value) picture.showForces?.(null);
  });
  onTold((message) => {
    if (message.type !== 'frame' || !state.forcesShown.value) return;
    picture.showForces?.(message.forces === null ? null : arrowsOf(message.forces));
  });
};
