// @vitest-environment node
// Every edit that the inspector offers is one that the engine takes, or refuses for a reason of mechanics.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Anchors } from '../../src/anchors';
import type { Command, Look } from '../../src/engine/border';
import { commandOf, numberAt, withoutPose } from '../../src/engine/change';
import { Lab } from '../../src/engine/lab';
import type { AnyJoint } from '../../src/engine/messages';
import { withSteps } from '../../src/engine/options';
import { STOPS } from '../../src/panel/accuracy';
import * as fields from '../../src/panel/fields';
import { asBody, asJoint, bodyTypes, drivenAt, frameAxis, jointTypes, type Moment } from '../../src/panel/types';
import { initSync } from '../../src/wasm/linkwork_wasm.js';

initSync({ module: readFileSync(new URL('../../src/wasm/linkwork_wasm_bg.wasm', import.meta.url)) });

/** Distances of nothing, axes of what has none, and bodies that cannot be. */
const REASONS = /use a ball joint|has no frame|greater than the sum|all must be positive/;

class Bench {
  readonly refused: string[] = [];
  readonly jumped: string[] = [];
  readonly lab: Lab;
  readonly look: Look;
  private readonly anchors: Anchors;
  private readonly poses: Float64Array;

  constructor(readonly scene: string) {
    this.lab = Lab.open(
      readFileSync(new URL(`../../../crates/linkwork-scene/scenes/${scene}.json`, import.meta.url), 'utf8'),
    );
    for (let k = 0; k < 5; k += 1) this.lab.step();
    this.look = this.lab.look();
    this.poses = this.lab.poses();
    this.anchors = new Anchors(this.look, this.poses);
  }

  moment(joint: number, entry: AnyJoint): Moment {
    const frame = frameAxis(entry.a);
    const body = this.look.bodies.findIndex(({ name }) => name === frame?.body);
    const axis =
      frame === null
        ? this.anchors.axis(joint, this.poses)
        : this.anchors.turned(this.poses, body < 0 ? null : body, frame.axis);
    return { axis, ends: this.anchors.ends(joint, this.poses), time: this.lab.report().time_s };
  }

  /** Does an edit and takes it back; notes whether it was refused, or opened a joint that was closed. */
  try(what: string, command: Command, opens: boolean): void {
    try {
      this.lab.apply(command);
      const { residual_m } = this.lab.report();
      if (!opens && residual_m > 1e-6) this.jumped.push(`${what}: ${residual_m}`);
      this.lab.apply('undo');
    } catch (error) {
      if (!REASONS.test(String(error))) this.refused.push(`${what}: ${String(error)}`);
    }
  }
}

const other = (entry: unknown, { path, absent, whole }: fields.Field): number => {
  const value = numberAt(entry, path) ?? (typeof absent === 'number' ? absent : 3);
  if (whole === true) return value + 1;
  return value === 0 ? 0.1 : 1.05 * value;
};

test.each([
  'four-bar',
  'slider-crank',
  'scotch-yoke',
  'tinkertoy',
  'puppet',
  'differential',
  'swinging-lamp',
  'gas-spring',
])('%s takes every edit', (scene) => {
  const bench = new Bench(scene);
  bench.look.joints.forEach(({ name }, order) => {
    const entry = bench.lab.entry('joint', name);
    const { type } = entry;
    const moment = bench.moment(order, entry);
    const types = jointTypes(entry);
    // The ends of a spring are apart: what holds them together pulls them there.
    for (const next of types.filter(() => types.length > 1)) {
      bench.try(`${name} as ${next}`, { set_joint: asJoint(entry, next, moment) }, type === 'spring');
    }
    const driven = drivenAt(entry, 1);
    expect(driven !== null).toBe(entry.type === 'hinge' || entry.type === 'prismatic');
    if (driven !== null) bench.try(`drive of ${name}`, { set_joint: driven }, false);
    for (const field of [...fields.jointFields(entry), ...fields.holdFields(entry)]) {
      const command = commandOf('joint', entry, field.path, other(entry, field));
      bench.try(`${name} ${field.path.join(' ')}`, command, true);
    }
  });
  for (const { name } of bench.look.bodies) {
    const entry = bench.lab.entry('body', name);
    const types = bodyTypes(entry);
    for (const next of types.filter(() => types.length > 1)) {
      bench.try(`${name} as ${next}`, { set_body: withoutPose(asBody(entry, next)) }, false);
    }
    for (const field of fields.bodyFields(entry)) {
      const command = commandOf('body', entry, field.path, other(entry, field));
      bench.try(`${name} ${field.path.join(' ')}`, command, true);
    }
  }
  STOPS.forEach(({ name, options }) => {
    bench.try(`dial at ${name}`, { set_world: withSteps(bench.lab.entry('world', ''), options) }, false);
  });
  expect(bench.refused).toEqual([]);
  expect(bench.jumped).toEqual([]);
});
