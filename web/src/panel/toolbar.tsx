// Scenes, time, edits and files.

import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import * as actions from '../actions';
import { take } from '../drop';
import type { Theme } from '../state';
import * as state from '../state';

const THEMES: Theme[] = ['system', 'light', 'dark'];
const SPEEDS = [1, 0.5, 0.25, 0.1];

const nextTheme = (): void => {
  const { theme } = state;
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
};

const Toggle = ({ of, children }: { of: Signal<boolean>; children: string }) => (
  <button
    type="button"
    aria-pressed={of.value}
    onClick={() => {
      of.value = !of.value;
    }}
  >
    {children}
  </button>
);

/** The name of the scene, which is that of its file; a click changes it. */
const Name = ({ of, isThere }: { of: string | null; isThere: boolean }) => {
  const [draft, setDraft] = useState<string | null>(null);
  const done = (): void => {
    const name = draft?.trim();
    setDraft(null);
    if (name !== undefined && name !== '' && name !== of) void actions.edit({ set_name: name });
  };
  if (!isThere) return <h1>Linkwork</h1>;
  return draft === null ? (
    <h1>
      <button type="button" class="name" title="Renames it" onClick={() => setDraft(of ?? '')}>
        {of ?? 'without a name'}
      </button>
    </h1>
  ) : (
    <input
      type="text"
      class="name"
      aria-label="Name of the scene"
      ref={(input) => input?.focus()}
      value={draft}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') done();
        if (key === 'Escape') setDraft(null);
      }}
      onBlur={done}
    />
  );
};

export const Toolbar = () => {
  const look = state.look.value;
  const running = state.running.value;
  const edits = state.certificate.value;
  const theme = state.theme.value === 'system' ? 'auto' : state.theme.value;
  return (
    <header class="toolbar">
      <div class="group">
        <Toggle of={state.galleryShown}>Scenes</Toggle>
        <Toggle of={state.partsShown}>Parts</Toggle>
      </div>
      <div class="title">
        <Name of={look?.name ?? null} isThere={look !== null} />
        <p title={look?.why ?? ''}>{look?.why ?? ''}</p>
      </div>
      <div class="group" role="group" aria-label="Time">
        <button type="button" class="wide" onClick={() => actions.run()} title="Space">
          {running ? 'Pause' : 'Run'}
        </button>
        <button type="button" onClick={actions.step} title="One frame (.)">
          Step
        </button>
        <button
          type="button"
          disabled={edits?.has_left_start !== true}
          onClick={actions.reset}
          title="Back to the start of time; edits stay (R)"
        >
          Reset
        </button>
        <select
          aria-label="Speed"
          value={String(state.speed.value)}
          onChange={(event) => actions.setSpeed(Number(event.currentTarget.value))}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={String(speed)}>
              {speed === 1 ? '1×' : `1/${1 / speed}×`}
            </option>
          ))}
        </select>
      </div>
      <div class="group" role="group" aria-label="Edits">
        <button type="button" disabled={(edits?.undo ?? 0) === 0} onClick={actions.undo} title="Ctrl+Z">
          Undo
        </button>
        <button type="button" disabled={(edits?.redo ?? 0) === 0} onClick={actions.redo} title="Ctrl+Shift+Z">
          Redo
        </button>
      </div>
      <div class="group" role="group" aria-label="File">
        <button type="button" onClick={() => actions.openNew(true)} title="An empty scene, seen flat">
          New
        </button>
        <button type="button" onClick={() => actions.openNew(false)} title="An empty scene in space">
          New 3D
        </button>
        <label class="button">
          Open
          <input
            type="file"
            multiple
            accept=".json,application/json,.urdf,.xml,.mjcf,.stl,.obj,.csv,.tsv,.trc,.ply,.xyz,.png,.jpg,.jpeg,.webp"
            title="A scene, a robot (URDF, MJCF) with its files, a table, points or a picture"
            onChange={(event) => {
              const files = [...(event.currentTarget.files ?? [])];
              take(files.map((file) => ({ path: file.name, file })));
              // The same file can be chosen again.
              event.currentTarget.value = '';
            }}
          />
        </label>
        <button type="button" onClick={actions.save}>
          Save
        </button>
      </div>
      <div class="group">
        <button type="button" aria-label={`Theme: ${theme}`} title="Light, dark, or as the system" onClick={nextTheme}>
          <span class="spare">Theme:&nbsp;</span>
          {theme}
        </button>
        <button
          type="button"
          aria-label="Help"
          title="Pointer and keys (?)"
          onClick={() => {
            state.helpShown.value = true;
          }}
        >
          ?
        </button>
        <Toggle of={state.timeShown}>Time</Toggle>
        <Toggle of={state.sideShown}>Panel</Toggle>
      </div>
    </header>
  );
};
