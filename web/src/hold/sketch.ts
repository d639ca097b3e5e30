// Press on nothing and draw: linkages are found whose coupler point follows the curve. Time goes on.

import * as actions from '../actions';
import { Drawn } from './drawn';

/** Fewer points are a slip of the hand, not a drawing. */
const LEAST_POINTS = 8;

export class Sketch extends Drawn {
  /** Linkages lie in the plane z = 0. */
  protected get isFlat(): boolean {
    return true;
  }

  protected make(): void {
    if (this.points.length >= LEAST_POINTS) actions.findLinkages(this.points.map(({ x, y }) => [x, y]));
  }
}
