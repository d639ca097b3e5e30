// What is known, put into the picture: joints that repeat or contradict each other, the spanning tree, and forces.

import { effect } from '@preact/signals';
import { onTold } from './actions';
import type { Findings, Look } from './engine/border';
import { arrowsOf, contactsOf } from './now';
import * as state from './state';
import type { Tint, Warning } from './view/colors';
import type { Stage } from './view/stage';

/** The worst that is to be said of each joint. */
export const warningsOf = (findings: Findings | null): Map<string, Warning> => {
  const warnings = new Map<string, Warning>();
  for (const joint of findings?.undetermined ?? []) warnings.set(joint, 'undetermined');
  for (const { joint } of findings?.redundant ?? []) warnings.set(joint, 'redundant');
  for (const { joint } of findings?.contradictory ?? []) warnings.set(joint, 'contradictory');
  return warnings;
};

/** Which joints are in the spanning tree, and which close loops. */
export const standingsOf = (look: Look | null): Map<string, Tint> => {
  const standings = new Map<string, Tint>();
  for (const { name, holds, closes_loop } of look?.joints ?? []) {
    if (closes_loop === true) standings.set(name, 'loop');
    else if (holds !== undefined) standings.set(name, 'tree');
  }
  return standings;
};

export const markPicture = (stage: Stage): void => {
  effect(() => {
    const standings = state.treeShown.value ? standingsOf(state.look.value) : [];
    stage.setTints(new Map([...standings, ...warningsOf(state.findings.value)]));
  });
  effect(() => {
    stage.treeShown = state.treeShown.value;
  });
  effect(() => {
    if (!state.forcesShown.value && !state.contactsShown.value) stage.hideForces();
  });
  onTold((message) => {
    if (message.type !== 'frame') return;
    const { forces, contacts } = message;
    if (forces === null && contacts === null) return;
    stage.showForces(forces === null ? [] : arrowsOf(forces), contacts === null ? [] : contactsOf(contacts));
  });
};
