// What is known, put into the picture: joints that repeat or contradict each other, and forces.

import { effect } from '@preact/signals';
import { onTold } from './actions';
import type { Findings } from './engine/border';
import { arrowsOf } from './now';
import * as state from './state';
import type { Warning } from './view/colours';
import type { Stage } from './view/stage';

/** The worst that is to be said of each joint. */
export const warningsOf = (findings: Findings | null): Map<string, Warning> => {
  const warnings = new Map<string, Warning>();
  for (const joint of findings?.undetermined ?? []) warnings.set(joint, 'undetermined');
  for (const { joint } of findings?.redundant ?? []) warnings.set(joint, 'redundant');
  for (const { joint } of findings?.contradictory ?? []) warnings.set(joint, 'contradictory');
  return warnings;
};

export const markPicture = (stage: Stage): void => {
  effect(() => stage.setWarnings(warningsOf(state.findings.value)));
  effect(() => {
    if (!state.forcesShown.value) stage.showForces(null);
  });
  onTold((message) => {
    if (message.type !== 'frame' || !state.forcesShown.value) return;
    stage.showForces(message.forces === null ? null : arrowsOf(message.forces));
  });
};
