// @vitest-environment happy-dom
// Whatever type the engine's catalogue has, the page has a form for it, a sign, a button and a place in the menus, and
// the engine takes what they make. No type is named here: a new one is tested as it is.

import { cleanup, render } from '@testing-library/preact';
import { Vector3 } from 'three';
import { afterEach, expect, test } from 'vitest';
import { jointEntry, jointTypes, type Meeting, type Side } from '../../src/build/joints';
import { bodyEntry, bodyParts, partPlaces } from '../../src/build/parts';
import type { FieldInfo, TypeInfo } from '../../src/engine/border';
import { offersOf, typeOf, typesOf } from '../../src/engine/catalogue';
import { Lab } from '../../src/engine/lab';
import type { AnyBody, AnyJoint, Vec3 } from '../../src/engine/messages';
import type { Hand } from '../../src/hold/hand';
import * as fields from '../../src/panel/fields';
import { Palette } from '../../src/panel/palette';
import * as types from '../../src/panel/types';
import { behaviorGlyph, jointGlyph } from '../../src/view/glyphs';

afterEach(cleanup);

const EMPTY = JSON.stringify({ linkwork: 1, name: 'test', bodies: [] });

/** A value of a field, whatever it means. */
const sample = (field: FieldInfo): unknown => {
  switch (field.form) {
    case 'number':
    case 'count':
      return 1;
    case 'numbers':
      return [1, 2];
    case 'word':
      return field.words?.[0];
    case 'fields':
      return Object.fromEntries((field.fields ?? []).map((inner) => [inner.name, sample(inner)]));
    default:
      return undefined;
  }
};

const entryOf = ({ word, fields: all }: TypeInfo) => ({
  name: 'it',
  type: word,
  ...Object.fromEntries(all.map((field) => [field.name, sample(field)])),
});

const isAsked = ({ role, form }: FieldInfo): boolean =>
  role === 'value' && (form === 'number' || form === 'count' || form === 'numbers');

test('every number of every type is in its form, with a name and one line of help', () => {
  const forms = {
    body: (entry: object) => fields.bodyFields(entry as AnyBody),
    joint: (entry: object) => fields.jointFields(entry as AnyJoint),
    behavior: (entry: object) => fields.behaviorFields(entry as Parameters<typeof fields.behaviorFields>[0]),
  };
  let count = 0;
  for (const sort of ['body', 'joint', 'behavior'] as const) {
    for (const type of typesOf(sort)) {
      const shown = forms[sort](entryOf(type));
      for (const field of type.fields.filter(isAsked)) {
        const own = shown.filter(({ path }) => path[0] === field.name);
        expect(own.length, `${sort} ${type.word} ${field.name}`).toBe(field.form === 'numbers' ? 2 : 1);
        for (const { label, help } of own) expect([label, help]).not.toContain('');
        count += 1;
      }
    }
  }
  expect(count).toBeGreaterThan(50);
});

test('groups with the same fields are told apart, and what is held says so', () => {
  const entry = { name: 'it', type: 'superquadric', a: [1, 1, 1], free: { bend: { stiffness: 2 } } };
  const shown = fields.bodyFields(entry as unknown as AnyBody);
  const find = (label: string) => shown.find((own) => own.label === label);
  expect(find('bend stiffness')).toMatchObject({ path: ['free', 'bend', 'stiffness'], unit: 'J' });
  expect(find('bend stiffness')?.absent).not.toBe('held');
  expect(find('twist stiffness')).toMatchObject({ absent: 'held' });
});

test('every joint and every behavior has a sign that can be drawn', () => {
  const of = { size: 1, span: 4, thickness: 1, reach: 6, middle: 2 };
  for (const { word, glyph } of typesOf('joint')) {
    expect(glyph, word).toBeDefined();
    const { pieces, links } = jointGlyph({ type: word, stiffness: 1, damping: 1 }, of);
    const isSeen = glyph?.sign !== 'nothing' || glyph.link !== 'nothing';
    expect(pieces.length + links.length > 0, word).toBe(isSeen);
    for (const { scale } of pieces) expect(scale.every((x) => x > 0 && Number.isFinite(x))).toBe(true);
  }
  for (const { word, glyph } of typesOf('behavior')) {
    expect(glyph, word).toBeDefined();
    expect(() => behaviorGlyph({ type: word, stiffness: 1, damping: 1 }, of)).not.toThrow();
  }
});

test('everything that is on offer has a button with a picture', () => {
  const { container } = render(<Palette hand={{} as Hand} />);
  const offers = [...offersOf('body'), ...offersOf('joint', 'behavior')];
  expect(offers.length).toBeGreaterThan(5);
  for (const { offer } of offers) {
    const button = container.querySelector(`[data-part="${offer.name}"]`);
    expect(button?.querySelector('path')?.getAttribute('d'), offer.name).toBe(offer.icon);
    expect(button?.textContent?.trim()).toBe(offer.name);
  }
  // And the place on the ground.
  expect(container.querySelectorAll('[data-part]').length).toBe(offers.length + 1);
});

const setting = (name: string, planar: boolean, at: Vector3) => {
  const axle: Vec3 = [0, 0, 1];
  return { name, at, planar, size: 0.5, mass: 1, axle };
};

test.each([true, false])('the engine takes every part and has it where it can be fastened (planar: %s)', (planar) => {
  const lab = Lab.open(EMPTY);
  const parts = bodyParts();
  parts.forEach((part, k) => {
    lab.apply({ add_body: bodyEntry(part, setting(part, planar, new Vector3(k, 0, 0))) });
  });
  const look = lab.look();
  expect(look.bodies.map(({ name }) => name)).toEqual(parts);
  // Places that a part offers while it is carried are places that it has.
  const places = lab.places();
  parts.forEach((part, body) => {
    const own = places.filter((place) => place.body === body).map(({ point }) => new Vector3(...point));
    for (const place of partPlaces(part, 0.5, planar)) {
      const least = Math.min(...own.map((point) => point.distanceTo(new Vector3(...place))));
      expect(least, `${part} ${place}`).toBeLessThan(1e-9);
    }
  });
  lab.free();
});

test.each([true, false])(
  'two places are joined by every joint on offer, which becomes every other (planar: %s)',
  (planar) => {
    const lab = Lab.open(EMPTY);
    const [first, second] = ['one', 'other'].map((name, k) => {
      lab.apply({ add_body: bodyEntry('box', setting(name, planar, new Vector3(k, 0, 0))) });
      return name;
    });
    const { bodies } = lab.look();
    const side = (name: string | undefined, x: number): Side => ({
      body: bodies.find((own) => own.name === name) ?? null,
      point: new Vector3(x, 0, 0),
      x: new Vector3(1, 0, 0),
    });
    // Two places that are a little apart.
    const meeting: Meeting = {
      a: side(first, 0.25),
      b: side(second, -0.25),
      gap: 0.5,
      reach: 1,
      flat: planar,
      into: new Vector3(0, 0, -1),
    };
    const offered = jointTypes(meeting);
    const isThere = ({ joint }: TypeInfo): boolean => joint?.joins !== undefined && (joint.planar || !planar);
    expect([...offered].sort()).toEqual(
      typesOf('joint')
        .filter(isThere)
        .map(({ word }) => word)
        .sort(),
    );
    const menus = new Set<string>();
    for (const word of offered) {
      lab.apply({ join: jointEntry(word, 'it', meeting, true) });
      const entry = lab.entry('joint', 'it');
      expect(entry.type, word).toBe(word);
      const menu = types.jointTypes(entry);
      expect(menu, word).toContain(word);
      for (const next of menu) {
        menus.add(next);
        const moment = {
          axis: [0, 0, 1] as Vec3,
          ends: [
            [0.25, 0, 0],
            [0.75, 0, 0],
          ] as Vec3[],
          time: 0,
        };
        lab.apply({ set_joint: types.asJoint(entry, next, moment) });
        expect(lab.entry('joint', 'it').type, `${word} as ${next}`).toBe(next);
        lab.apply('undo');
      }
      lab.apply('undo');
    }
    // Whoever can be joined by it can change to it.
    for (const word of offered) expect(menus).toContain(word);
    lab.free();
  },
);

test('every body of a size becomes every other that moves as it does', () => {
  const lab = Lab.open(EMPTY);
  for (const type of typesOf('body')) {
    for (const next of types.bodyTypes({ type: type.word as AnyBody['type'] }).filter((own) => own !== type.word)) {
      const back = types.bodyTypes({ type: next as AnyBody['type'] });
      expect(back, next).toContain(type.word);
      const made = types.asBody({ name: 'it', type: type.word, ...sizes(type), mass: 1 } as never, next);
      lab.apply({ add_body: made });
      expect(lab.entry('body', 'it').type).toBe(next);
      lab.apply({ remove_body: 'it' });
    }
  }
  expect(typeOf('body', 'no such body')).toBeNull();
  lab.free();
});

/** A size for each field that is one. */
const sizes = ({ fields: all, body }: TypeInfo) =>
  Object.fromEntries(
    all.flatMap(({ name, measure }) => {
      if (measure === undefined) return [];
      return [[name, measure !== 'edges' ? 0.3 : body?.planar === true ? [0.3, 0.2] : [0.3, 0.2, 0.1]]];
    }),
  );
