import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as actions from '../../src/actions';
import type { Certificate, Track } from '../../src/engine/border';
import { TimeBar } from '../../src/panel/time_bar';
import * as state from '../../src/state';
import { between, chosenKey, nearestKey, spanOf, takesOf, tracks } from '../../src/tracks';

const track = (name: string, more: Partial<Track> = {}): Track => ({
  kind: 'joint',
  name,
  body: 'hand',
  point: [0.1, 0],
  enabled: true,
  repeats: false,
  rests: true,
  keys: [
    [0, 1, 2],
    [1, 2, 2],
    [3, 1, 1],
  ],
  ...more,
});

describe('tracks', () => {
  it('reach as far as the film and all keys', () => {
    expect(spanOf(0, 0, [])).toEqual([0, 5]);
    expect(spanOf(2, 9, [track('a')])).toEqual([0, 9]);
    expect(
      spanOf(0, 1, [
        track('a', {
          keys: [
            [-1, 0, 0],
            [8, 0, 0],
          ],
        }),
      ]),
    ).toEqual([-1, 8]);
  });

  it('find the key that is pressed, if one is near', () => {
    const { keys } = track('a');
    expect(nearestKey(keys, 0.9, 0.2)).toBe(1);
    expect(nearestKey(keys, 2, 0.2)).toBeNull();
    expect(nearestKey([[0], [0.1], [0.2]], 0.12, 0.2)).toBe(1);
  });

  it('keep a key between its neighbors', () => {
    const { keys } = track('a');
    expect(between(keys, 1, 7)).toBe(2.99);
    expect(between(keys, 1, -7)).toBe(0.01);
    expect(between(keys, 2, 7)).toBe(7);
  });

  it('of one point are takes of each other', () => {
    const all = [track('a'), track('b'), track('c', { point: [0.2, 0] }), track('d', { body: null, point: null })];
    expect(takesOf(all[1] as Track, all)).toEqual(['b', 'a']);
    expect(takesOf(all[3] as Track, all)).toEqual(['d']);
  });
});

describe('the time bar', () => {
  beforeEach(() => {
    state.certificate.value = { time_s: 2, film_from_s: 0, film_until_s: 2, has_left_start: true } as Certificate;
    tracks.value = [track('wave'), track('other', { enabled: false })];
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    chosenKey.value = null;
    state.shown.value = null;
    state.tool.value = 'hold';
  });

  it('shows the film where it is scrubbed, and no further than it reaches', () => {
    const show = vi.spyOn(actions.engine, 'ask').mockResolvedValue(null as never);
    render(<TimeBar />);
    const bar = screen.getByRole('slider', { name: 'Film' });
    expect(bar.getAttribute('aria-valuetext')).toBe('2.00 s of 0.00 s to 2.00 s');
    fireEvent.input(bar, { target: { value: '1' } });
    expect(show).toHaveBeenLastCalledWith({ type: 'show', time: 1 });
    fireEvent.input(bar, { target: { value: '4' } });
    expect(show).toHaveBeenLastCalledWith({ type: 'show', time: 2 });
  });

  it('lets one take of a point act', () => {
    const ask = vi.spyOn(actions.engine, 'ask').mockResolvedValue(null as never);
    render(<TimeBar />);
    fireEvent.click(screen.getByRole('checkbox', { name: 'other acts' }));
    expect(ask).toHaveBeenLastCalledWith({ type: 'take', names: ['other', 'wave'] });
  });

  it('adds and deletes keys, and has their numbers', () => {
    const ask = vi.spyOn(actions.engine, 'ask').mockResolvedValue(null as never);
    render(<TimeBar />);
    fireEvent.click(screen.getByRole('button', { name: 'wave' }));
    expect(screen.getByRole('group', { name: 'wave: key 1 of 3' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Key after' }));
    fireEvent.click(screen.getByRole('button', { name: 'Add at 2.00 s' }));
    expect(ask).toHaveBeenLastCalledWith({
      type: 'key',
      edit: { kind: 'joint', name: 'wave', time: 2 },
      again: false,
    });
    fireEvent.click(screen.getByRole('button', { name: 'Delete key' }));
    expect(ask).toHaveBeenLastCalledWith({
      type: 'key',
      edit: { kind: 'joint', name: 'wave', key: 1, remove: true },
      again: false,
    });
  });
});
