// Joints that stay open are pointed out by themselves.

import { computed, signal } from '@preact/signals';
import * as actions from '../actions';
import type { Certificate } from '../engine/border';
import { isTaken } from '../engine/options';
import * as state from '../state';
import { world } from '../world';
import { short } from './format';

/** A gap that is seen, m. */
const OPEN = 1e-4;
/** How long it may last, ms: a hand that tears at a joint is no contradiction. */
const PATIENCE = 1000;

const isOpen = signal(false);
let waiting: ReturnType<typeof setTimeout> | null = null;

const forget = (): void => {
  if (waiting !== null) clearTimeout(waiting);
  waiting = null;
  isOpen.value = false;
};

actions.onTold((message) => {
  if (message.type === 'look' && message.opened) forget();
  if (message.type !== 'frame' || message.wiggling !== null || message.shown !== null) return;
  if (message.certificate.residual_m <= OPEN) forget();
  else
    waiting ??= setTimeout(() => {
      isOpen.value = true;
    }, PATIENCE);
});

/** Solves that are cut short leave joints open without a contradiction. */
const isCutShort = computed(() => {
  const of = world.value;
  return of !== null && (isTaken(of, 'stabilization') || isTaken(of, 'solve_iterations'));
});

const show = (tab: state.Tab): void => {
  state.sideShown.value = true;
  state.tab.value = tab;
};

export const OpenHint = ({ of }: { of: Certificate }) => {
  const isNow = isOpen.value || (of.ended === 'open' && of.residual_m > OPEN);
  if (!isNow || of.residual_m <= OPEN) return null;
  const gap = `${of.worst === null ? '' : `${of.worst} `}by ${short(of.residual_m)} m`;
  const budget = isCutShort.value || of.ended === 'iterations' || of.ended === 'deadline';
  return (
    <p class="hint" role="status">
      Joints are open: {gap}.{' '}
      {budget ? (
        <button type="button" class="link" onClick={() => show('exactness')}>
          More exact
        </button>
      ) : (
        <button
          type="button"
          class="link"
          onClick={() => {
            show('diagnosis');
            void actions.diagnose();
          }}
        >
          Diagnose
        </button>
      )}
    </p>
  );
};
