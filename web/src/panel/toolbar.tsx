// Time, edits, files, and the way of dragging.

import type { Drag, Theme } from '../state';

const DRAGS: [Drag, string, string][] = [
  ['force', '1', 'Pulls with a damped spring; joints stay exact'],
  ['follow', '2', 'Goes to the pointer as far as the joints let it'],
  ['pin', '3', 'Is at the pointer; what must give way does, and is named'],
];

interface Props {
  title: string;
  why: string;
  running: boolean;
  drag: Drag;
  theme: Theme;
  undo: number;
  redo: number;
  scenesShown: boolean;
  act: {
    run: () => void;
    step: () => void;
    undo: () => void;
    redo: () => void;
    open: (file: File) => void;
    save: () => void;
    drag: (drag: Drag) => void;
    theme: () => void;
    scenes: () => void;
  };
}

export const Toolbar = (props: Props) => {
  const { act } = props;
  return (
    <header class="toolbar">
      <button type="button" aria-pressed={props.scenesShown} onClick={act.scenes}>Scenes</button>
      <div class="title">
        <h1>{props.title}</h1>
        <p title={props.why}>{props.why}</p>
      </div>
      <div class="group" role="group" aria-label="Time">
        <button type="button" class="wide" onClick={act.run} title="Space">{props.running ? 'Pause' : 'Run'}</button>
        <button type="button" onClick={act.step} title="One frame (.)">Step</button>
      </div>
      <div class="group" role="radiogroup" aria-label="Drag by">
        {DRAGS.map(([drag, key, meaning]) => (
          <button
            key={drag}
            type="button"
            role="radio"
            aria-checked={props.drag === drag}
            title={`${meaning} (${key})`}
            onClick={() => act.drag(drag)}
          >
            <kbd>{key}</kbd> {drag}
          </button>
        ))}
      </div>
      <div class="group" role="group" aria-label="Edits">
        <button type="button" disabled={props.undo === 0} onClick={act.undo} title="Ctrl+Z">Undo</button>
        <button type="button" disabled={props.redo === 0} onClick={act.redo} title="Ctrl+Shift+Z">Redo</button>
      </div>
      <div class="group" role="group" aria-label="File">
        <label class="button">
          Open
          <input
            type="file"
            accept=".json,application/json"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file !== undefined) act.open(file);
              // The same file can be chosen again.
              event.currentTarget.value = '';
            }}
          />
        </label>
        <button type="button" onClick={act.save}>Save</button>
      </div>
      <button type="button" onClick={act.theme} title="Light, dark, or as the system">Theme: {props.theme === 'system' ? 'auto' : props.theme}</button>
    </header>
  );
};
