// What is held and how hard it is pulled; what is under the pointer.

import { offerNamed } from '../engine/catalogue';
import * as state from '../state';
import { short } from './format';

export const HeldLine = () => {
  if (state.held.value === null) return null;
  const effort = state.effort.value;
  const axis = state.axis.value;
  const facts = [
    state.held.value,
    ...(state.grip.value === 'frame' ? ['all of it'] : []),
    ...(axis === null ? [] : [`along ${axis}`]),
    ...(effort === null ? [] : [`${short(effort)} N`]),
  ];
  return (
    <p class="held" role="status">
      {facts.join(' · ')}
    </p>
  );
};

/** What the next press is for. */
const HINTS: Record<state.Tool, string | null> = {
  hold: null,
  path: 'Press on a point of a body and draw its path; press on empty space and draw a path for a linkage',
  curve: 'Press and draw a curve',
  perform: 'Press on a point of a body and lead it: time runs until you release it',
};

export const HoverLine = () => {
  const { hover, held, linking, tool } = state;
  const link = linking.value === null ? undefined : offerNamed(linking.value, 'joint', 'behavior')?.offer.help;
  const words = [link ?? HINTS[tool.value], hover.value?.name].filter((own) => own != null);
  if (words.length === 0 || held.value !== null) return null;
  return <p class="hover">{words.join(' · ')}</p>;
};
