// Press on nothing and draw: linkages are found whose coupler point follows the curve. Time goes on.

import * as actions from '../actions';
import { Drawn } from './drawn';

export class Sketch extends Drawn {
  /** Linkages lie in the plane z = 0. */
  protected override get isFlat(): boolean {
    return true;
  }

  protected override get stands(): boolean {
    return false;
  }

  protected async make(): Promise<void> {
    actions.findLinkages(this.samples.map(({ point: { x, y } }) => [x, y]));
  }
}
