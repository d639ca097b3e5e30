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

export const HoverLine = () => {
  const { hover, held, linking, tool } = state;
  const hint =
    linking.value !== null
      ? (offerNamed(linking.value, 'joint', 'behavior')?.offer.help ?? null)
      : tool.value === 'path'
        ? 'Press on a point of a body and draw its path'
        : tool.value === 'curve'
          ? 'Press and draw a curve'
          : null;
  const words = [hint, hover.value?.name].filter((own) => own !== null && own !== undefined);
  if (words.length === 0 || held.value !== null) return null;
  return <p class="hover">{words.join(' · ')}</p>;
};
