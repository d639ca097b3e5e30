// The time bar: the film, which is scrubbed, and what follows key frames, a row each.

import { useRef } from 'preact/hooks';
import * as actions from '../actions';
import type { KeyEdit, Track } from '../engine/border';
import { Series } from '../series';
import * as state from '../state';
import { between, chosenKey, nearestKey, spanOf, takesOf, tracks } from '../tracks';
import { NumberField } from './number_field';

const SMOOTHNESS: [number, string][] = [
  [10, 'close'],
  [5, 'calm'],
  [2, 'smooth'],
];

const seconds = (time: number): string => `${time.toFixed(2)} s`;

/** Where a time is along the bar: half a thumb from its ends. */
const place = (time: number, [from, until]: [number, number]): string =>
  `calc(8px + (100% - 16px) * ${((time - from) / (until - from)).toFixed(6)})`;

const editKey = (edit: KeyEdit, again = false): Promise<unknown> => {
  state.fault.value = null;
  return actions.editKey(edit, again).catch(actions.say);
};

const isChosen = ({ kind, name }: Track): boolean =>
  chosenKey.value !== null && chosenKey.value.kind === kind && chosenKey.value.name === name;

const choose = ({ kind, name }: Track, key: number): void => {
  chosenKey.value = { kind, name, key };
};

/** Keys on a line: press one to choose it, drag it to another time. */
const Lane = ({ track, span }: { track: Track; span: [number, number] }) => {
  const held = useRef<{ pointer: number; key: number; series: Series<number> } | null>(null);
  const { kind, name, keys } = track;

  const timeAt = (event: PointerEvent): number => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const share = (event.clientX - box.left - 8) / Math.max(box.width - 16, 1);
    return span[0] + share * (span[1] - span[0]);
  };
  const press = (event: PointerEvent): void => {
    const lane = event.currentTarget as HTMLElement;
    const reach = (12 / Math.max(lane.clientWidth - 16, 1)) * (span[1] - span[0]);
    const key = nearestKey(keys, timeAt(event), reach);
    if (event.button !== 0 || key === null) return;
    choose(track, key);
    lane.setPointerCapture(event.pointerId);
    const put = (time: number, again: boolean) => actions.editKey({ kind, name, key, time }, again);
    const told = (words: string | null): void => {
      if (words !== null) actions.say(words);
    };
    held.current = { pointer: event.pointerId, key, series: new Series(put, told) };
  };
  const pull = (event: PointerEvent): void => {
    const { current } = held;
    if (current === null || current.pointer !== event.pointerId) return;
    current.series.put(between(keys, current.key, timeAt(event)));
  };
  const lift = (): void => {
    held.current = null;
  };
  return (
    // What the pointer does here, the fields below do for keys.
    <div class="lane" aria-hidden="true" onPointerDown={press} onPointerMove={pull} onPointerUp={lift}>
      {keys.map(([time = 0], key) => (
        <i
          key={`${key}`}
          class={isChosen(track) && chosenKey.value?.key === key ? 'chosen' : ''}
          style={{ left: place(time, span) }}
        />
      ))}
    </div>
  );
};

const setActing = async (track: Track, on: boolean): Promise<void> => {
  if (on) actions.take(takesOf(track, tracks.value));
  else await actions.edit({ set_joint: { ...(await actions.entry('joint', track.name)), enabled: false } });
};

const Row = ({ track, span }: { track: Track; span: [number, number] }) => (
  <li class={track.enabled ? 'row' : 'row off'}>
    <button type="button" class="link" aria-pressed={isChosen(track)} onClick={() => choose(track, 0)}>
      {track.name}
    </button>
    <Lane track={track} span={span} />
    {track.kind === 'joint' ? (
      <input
        type="checkbox"
        aria-label={`${track.name} acts`}
        title="Whether it is active; one take of a point is"
        checked={track.enabled}
        onChange={(event) => void setActing(track, event.currentTarget.checked).catch(actions.say)}
      />
    ) : (
      <span />
    )}
  </li>
);

/** The numbers of one key. */
const KeyFields = () => {
  const chosen = chosenKey.value;
  const track = tracks.value.find(({ kind, name }) => kind === chosen?.kind && name === chosen.name);
  if (chosen === null || track === undefined) return null;
  const { kind, name, keys } = track;
  const key = Math.min(chosen.key, keys.length - 1);
  const [time = 0, ...values] = keys[key] ?? [];
  const now = state.shown.value ?? state.certificate.value?.time_s ?? 0;
  const labels = values.length === 1 ? ['value'] : ['x', 'y', 'z'];
  return (
    <fieldset class="key">
      <legend>
        {name}: key {key + 1} of {keys.length}
      </legend>
      <button type="button" aria-label="Key before" disabled={key === 0} onClick={() => choose(track, key - 1)}>
        ‹
      </button>
      <button
        type="button"
        aria-label="Key after"
        disabled={key + 1 >= keys.length}
        onClick={() => choose(track, key + 1)}
      >
        ›
      </button>
      <NumberField
        label="time"
        unit="s"
        value={time}
        edit={(to, again) => actions.editKey({ kind, name, key, time: between(keys, key, to ?? time) }, again)}
      />
      {values.map((value, at) => (
        <NumberField
          key={labels[at]}
          label={labels[at] ?? ''}
          unit={labels.length === 1 ? '' : 'm'}
          value={value}
          edit={(to, again) =>
            actions.editKey({ kind, name, key, values: values.map((own, k) => (k === at ? (to ?? own) : own)) }, again)
          }
        />
      ))}
      <button
        type="button"
        disabled={keys.some(([at = 0]) => Math.abs(at - now) < 0.01)}
        title="A new key on the curve, at the present time"
        onClick={() => void editKey({ kind, name, time: Number(now.toFixed(3)) })}
      >
        Add at {seconds(now)}
      </button>
      <button
        type="button"
        disabled={keys.length <= (track.repeats ? 4 : 2)}
        onClick={() => void editKey({ kind, name, key, remove: true })}
      >
        Delete key
      </button>
    </fieldset>
  );
};

export const TimeBar = () => {
  const report = state.certificate.value;
  const now = report?.time_s ?? 0;
  const [from, until] = [report?.film_from_s ?? now, report?.film_until_s ?? now];
  const at = state.shown.value ?? now;
  const span = spanOf(from, until, tracks.value);
  const scrub = (time: number): void => actions.show(Math.max(from, Math.min(until, time)));
  const isPerforming = state.tool.value === 'perform';
  return (
    <section class="time" aria-label="Time line">
      <div class="film">
        <div class="group" role="group" aria-label="Film">
          <button
            type="button"
            aria-label="Film: back to start"
            title="Back to the start of time; edits stay (R)"
            disabled={report?.has_left_start !== true}
            onClick={actions.reset}
          >
            Start
          </button>
          <button
            type="button"
            aria-label={state.running.value ? 'Film: pause' : 'Film: play from here'}
            title={state.shown.value === null ? 'Space' : 'Continues from this frame and discards later ones'}
            onClick={() => actions.run()}
          >
            {state.running.value ? 'Pause' : 'Play'}
          </button>
          <button type="button" aria-label="Film: step one frame" title="One frame (.)" onClick={actions.step}>
            Step
          </button>
        </div>
        <output class={state.shown.value === null ? '' : 'past'}>{seconds(at)}</output>
        <button type="button" disabled={state.shown.value === null} onClick={() => actions.show(null)}>
          Now
        </button>
        <button
          type="button"
          aria-pressed={isPerforming}
          title="Press on a point and lead it while time runs; the point then repeats that path (O)"
          onClick={() => state.takeTool('perform')}
        >
          Perform
        </button>
        <select
          aria-label="Smoothing"
          title="How closely a performed path follows the hand"
          value={String(state.keysPerSecond.value)}
          onChange={(event) => {
            state.keysPerSecond.value = Number(event.currentTarget.value);
          }}
        >
          {SMOOTHNESS.map(([keys, word]) => (
            <option key={word} value={String(keys)}>
              {word}
            </option>
          ))}
        </select>
      </div>
      <div class="row">
        <span class="quiet" aria-hidden="true">
          film
        </span>
        <div class="scrub">
          <i style={{ left: place(from, span), right: `calc(100% - ${place(until, span)})` }} />
          <input
            type="range"
            aria-label="Film"
            aria-valuetext={`${seconds(at)} of ${seconds(from)} to ${seconds(until)}`}
            title={`The film reaches from ${seconds(from)} to ${seconds(until)}`}
            min={span[0]}
            max={span[1]}
            step={Math.max(state.look.value?.frame ?? 1 / 60, 1e-3)}
            value={at}
            onInput={(event) => scrub(Number(event.currentTarget.value))}
          />
        </div>
      </div>
      {tracks.value.length === 0 ? null : (
        <ul aria-label="Tracks">
          {tracks.value.map((track) => (
            <Row key={`${track.kind} ${track.name}`} track={track} span={span} />
          ))}
        </ul>
      )}
      <KeyFields />
    </section>
  );
};
