// What became of a stroke of the hand, and what a linkage may do with it.

import * as actions from '../actions';
import type { AnyBody } from '../engine/messages';
import { type Point, pointsOf } from '../spline';
import * as state from '../state';
import { measured } from './legend';

/** Points along a path that linkages are looked for. */
const PATH = 60;

/** Control points of a spline as it is now, in rows of its dimension. */
const controlsOf = ({ points, q }: AnyBody): Point[] => {
  const born = (points ?? []) as Point[];
  const width = born[0]?.length ?? 2;
  return q === undefined ? born : born.map((_, k) => q.slice(width * k, width * (k + 1)));
};

/** Looks for linkages that follow a curve of the plane as it is now. */
export const followCurve = async (name: string): Promise<void> => {
  const entry: AnyBody = await actions.entry('body', name);
  const path = pointsOf(controlsOf(entry), entry.closed === true, PATH + 1).slice(
    0,
    entry.closed === true ? -1 : undefined,
  );
  actions.findLinkages(path.map(([x = 0, y = 0]): [number, number] => [x, y]));
};

export const DrawnChip = () => {
  const drawn = state.drawnCurve.value;
  const body = state.look.value?.bodies.find(({ name }) => name === drawn?.name);
  if (drawn === null || body === undefined) return null;
  return (
    <div class="joined" role="status">
      <span>
        {drawn.name}: {drawn.points} control points, at most {measured(drawn.error, 'm')} from what was drawn
      </span>
      {state.look.value?.flat === true ? (
        <button
          type="button"
          title="Linkages are found whose point follows it"
          onClick={() => void followCurve(drawn.name).catch(actions.say)}
        >
          Find linkages
        </button>
      ) : null}
      <button
        type="button"
        aria-label="Close"
        onClick={() => {
          state.drawnCurve.value = null;
        }}
      >
        ×
      </button>
    </div>
  );
};
