// The lab: wires engine, picture and panel together.

import { signal } from '@preact/signals';
import { render } from 'preact';
import { Vector3 } from 'three';
import { Engine, type Told } from './engine/client';
import type { Certificate, Command } from './engine/words';
import { Hand } from './hand';
import { CertificateLine } from './panel/certificate_line';
import { Chooser } from './panel/chooser';
import { Toolbar } from './panel/toolbar';
import * as state from './state';
import { type Colours, Stage, type Target } from './view/stage';

declare global {
  interface Window {
    /** For tests and for the curious: see `web/README.md`. */
    linkwork: {
      ready: Promise<void>;
      stateHash: () => Promise<string | null>;
      log: () => Promise<string | null>;
      report: () => Certificate | null;
      apply: (command: Command) => Promise<string | null>;
      /** World position of a body's origin. */
      position: (body: string) => [number, number, number];
      /** Where a point of a body, its origin when left out, is in the window, px. Points of the ground are
       * those of the world. */
      project: (body: string, point?: [number, number, number]) => { x: number; y: number };
      /** What is drawn at a place of the window. */
      pick: (x: number, y: number) => Target | null;
    };
  }
}

const query = new URLSearchParams(location.search);
const scenesShown = signal(window.innerWidth > 760);
const say = (error: unknown): void => {
  state.fault.value = error instanceof Error ? error.message : String(error);
};
const silently = (): void => {};

const page = document.getElementById('lab');
if (page === null) throw new Error('the page has no place for the lab');
const holder = document.createElement('main');
holder.className = 'stage';

let isReady = silently;
const ready = new Promise<void>((resolve) => {
  isReady = resolve;
});

const engine = new Engine((message) => hear(message));
const stage = new Stage(holder, query.get('quality') === 'low', (text) => {
  state.trouble.value = text;
});
const hand = new Hand(
  stage,
  engine,
  () => state.drag.value,
  (body) => {
    state.held.value = body;
  },
  say,
);
let version = 0;
let lastTime = Number.NaN;

const hear = (message: Told): void => {
  switch (message.type) {
    case 'ready':
      state.library.value = message.library;
      start();
      break;
    case 'look':
      version = message.version;
      lastTime = Number.NaN;
      // An edit may take away what is held.
      if (message.opened) hand.forget();
      state.look.value = message.look;
      stage.show(message.look, new Float64Array(message.poses), message.opened);
      break;
    case 'frame': {
      state.certificate.value = message.certificate;
      state.stepTime.value = message.stepTime;
      state.running.value = message.running;
      if (message.version === version) {
        const { time } = message.certificate;
        stage.move(new Float64Array(message.poses), time !== lastTime);
        lastTime = time;
        hand.update();
      }
      engine.recycle(message.poses);
      break;
    }
    case 'fault':
      state.fault.value = message.text;
      break;
  }
};

const ask = (question: Promise<unknown>): void => {
  state.fault.value = null;
  question.catch(say);
};

const open = async (text: string): Promise<void> => {
  state.fault.value = null;
  await engine.ask({ type: 'open', text });
};

const start = (): void => {
  const name = query.get('scene') ?? 'four-bar';
  open(name)
    .catch((error: unknown) => {
      say(error);
      return engine.ask({ type: 'open', text: 'four-bar' });
    })
    .then(() => engine.ask({ type: 'run', running: !query.has('paused') }))
    .then(() => isReady())
    .catch(say);
};

const choose = (name: string): void => {
  const address = new URL(location.href);
  address.searchParams.set('scene', name);
  open(name).then(() => history.replaceState(null, '', address)).catch(say);
  if (window.innerWidth <= 760) scenesShown.value = false;
};

const save = async (): Promise<void> => {
  const text = await engine.ask({ type: 'save' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text ?? ''], { type: 'application/json' }));
  link.download = `${(state.look.value?.name ?? 'scene').replace(/[^\w-]+/g, '-')}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
};

const setDrag = (drag: state.Drag): void => {
  state.drag.value = drag;
  hand.changeDrag();
};

// Colours of the picture are those of the style sheet.
const paint = (): void => {
  const root = document.documentElement;
  root.dataset.theme = state.theme.value;
  const style = getComputedStyle(root);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const colours: Colours = { background: colour('--stage'), ink: colour('--joint'), hand: colour('--hand') };
  stage.setColours(colours);
};
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);

const act = {
  run: () => ask(engine.ask({ type: 'run', running: !state.running.value })),
  step: () => ask(engine.ask({ type: 'step' })),
  undo: () => ask(engine.apply('undo')),
  redo: () => ask(engine.apply('redo')),
  open: (file: File) => ask(file.text().then(open)),
  save: () => ask(save()),
  drag: setDrag,
  theme: () => {
    const themes: state.Theme[] = ['system', 'light', 'dark'];
    state.theme.value = themes[(themes.indexOf(state.theme.value) + 1) % themes.length] ?? 'system';
    paint();
  },
  scenes: () => {
    scenesShown.value = !scenesShown.value;
  },
};

window.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  if (target.matches('input, textarea, select')) return;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && key === 'z') {
    if (event.shiftKey) act.redo();
    else act.undo();
  } else if (control || event.altKey) return;
  else if (key === ' ' && !target.matches('button')) act.run();
  else if (key === '.') act.step();
  else if (key === '1') setDrag('force');
  else if (key === '2') setDrag('follow');
  else if (key === '3') setDrag('pin');
  else if (key === 'f') stage.fit();
  else if (key === 'v') stage.flat = !stage.flat;
  else return;
  event.preventDefault();
});

const Lab = () => {
  const look = state.look.value;
  const { certificate, fault, held, running } = state;
  const isWaiting = held.value !== null && !running.value;
  return (
    <>
      <Toolbar
        title={look?.name ?? 'Linkwork'}
        why={look?.why ?? ''}
        running={running.value}
        drag={state.drag.value}
        theme={state.theme.value}
        undo={certificate.value?.undo ?? 0}
        redo={certificate.value?.redo ?? 0}
        scenesShown={scenesShown.value}
        act={act}
      />
      {scenesShown.value ? <Chooser scenes={state.library.value} current={look?.name ?? null} choose={choose} /> : null}
      {fault.value === null ? null : (
        <div class="fault" role="alert">
          <pre>{fault.value}</pre>
          <button type="button" onClick={() => { fault.value = null; }}>Close</button>
        </div>
      )}
      {state.trouble.value === null ? null : <p class="trouble" role="alert">{state.trouble.value}</p>}
      {held.value === null ? null : (
        <p class="held" role="status">
          {held.value}{isWaiting ? ': moves when time runs' : ''}
        </p>
      )}
      <CertificateLine of={certificate.value} stepTime={state.stepTime.value} />
    </>
  );
};

const panel = document.createElement('div');
panel.className = 'panel';
page.append(holder, panel);
render(<Lab />, panel);
paint();

const bodyNamed = (name: string): number => {
  const body = state.look.value?.bodies.findIndex((own) => own.name === name) ?? -1;
  if (body < 0) throw new Error(`no body is called "${name}"`);
  return body;
};
const worldPoint = (name: string, point: [number, number, number] = [0, 0, 0]): Vector3 => {
  const local = new Vector3(...point);
  if (name === 'ground') return local;
  return stage.model?.toWorld(bodyNamed(name), local) ?? local;
};

window.linkwork = {
  ready,
  stateHash: () => engine.ask({ type: 'hash' }),
  log: () => engine.ask({ type: 'log' }),
  report: () => state.certificate.value,
  apply: (command) => engine.apply(command),
  position: (body) => worldPoint(body).toArray(),
  project: (body, point) => stage.project(worldPoint(body, point)),
  pick: (x, y) => stage.pick(x, y)?.target ?? null,
};
