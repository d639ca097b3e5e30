// What follows key frames, as the time bar shows it: asked for after every edit while the bar is there.

import { effect, signal } from '@preact/signals';
import * as actions from './actions';
import type { Track } from './engine/border';
import { latest } from './latest';
import { nameNow } from './renamed';
import * as state from './state';

export const tracks = signal<Track[]>([]);
/** The key whose numbers are shown. */
export const chosenKey = signal<{ kind: string; name: string; key: number } | null>(null);

/** Takes lead the same point of the same body. */
export const isSamePoint = (one: Track, other: Track): boolean =>
  one.body != null &&
  one.body === other.body &&
  (one.point ?? []).every((x, k) => Math.abs(x - (other.point?.[k] ?? 0)) < 1e-9);

/** Names of all takes of the point that a track leads, itself first. */
export const takesOf = (track: Track, all: Track[]): string[] => [
  track.name,
  ...all.filter((own) => own.name !== track.name && isSamePoint(own, track)).map(({ name }) => name),
];

/** From when to when the bar reaches: the film and all keys, and some seconds at least. */
export const spanOf = (from: number, until: number, all: Track[]): [number, number] => {
  const times = all.flatMap(({ keys }) => [keys[0]?.[0] ?? from, keys.at(-1)?.[0] ?? until]);
  const start = Math.min(from, ...times);
  return [start, Math.max(until, ...times, start + LEAST)];
};
const LEAST = 5;

/** The key nearest to a time, if it is near enough. */
export const nearestKey = (keys: number[][], time: number, most: number): number | null => {
  let [best, away] = [-1, most];
  keys.forEach(([at = 0], k) => {
    if (Math.abs(at - time) > away) return;
    best = k;
    away = Math.abs(at - time);
  });
  return best < 0 ? null : best;
};

/** A key stays between its neighbors. */
export const between = (keys: number[][], key: number, time: number): number => {
  const GAP = 0.01;
  const low = (keys[key - 1]?.[0] ?? Number.NEGATIVE_INFINITY) + GAP;
  const high = (keys[key + 1]?.[0] ?? Number.POSITIVE_INFINITY) - GAP;
  return Number(Math.max(low, Math.min(high, time)).toFixed(3));
};

const refresh = latest(async () => {
  try {
    tracks.value = await actions.tracks();
  } catch (error) {
    tracks.value = [];
    actions.say(error);
  }
});

actions.onRenamed((all) => {
  const { value: key } = chosenKey;
  if (key !== null) chosenKey.value = { ...key, name: nameNow(all, key.kind, key.name) };
});

actions.onTold((message) => {
  if (message.type !== 'look') return;
  if (message.opened) chosenKey.value = null;
  if (state.timeShown.value) void refresh();
});
effect(() => {
  if (state.timeShown.value && state.look.peek() !== null) void refresh();
});
