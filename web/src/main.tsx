// The lab: wires engine, picture and panels together.

import { effect } from '@preact/signals';
import { render } from 'preact';
import { Vector3 } from 'three';
import * as actions from './actions';
import { findHeightBy, roundedDown } from './collide';
import { data } from './data';
import { listenToDrops } from './drop';
import type { Certificate, Command, Listing } from './engine/border';
import type { Vec3 } from './engine/messages';
import { Hand } from './hold/hand';
import { listenToKeys } from './keys';
import { markPicture } from './marks';
import { Lab } from './panel/lab';
import { shadePicture } from './shading';
import * as state from './state';
import { DataLayer } from './view/data';
import { type Colors, Stage } from './view/stage';
import { weighPicture } from './weighing';
import { resume } from './work';

declare global {
  interface Window {
    /** For tests and for the curious: see `web/README.md`. */
    linkwork: {
      ready: Promise<void>;
      stateHash: () => Promise<string>;
      log: () => Promise<string>;
      save: () => Promise<string>;
      open: (text: string) => Promise<void>;
      /** Takes one frame. */
      step: () => Promise<null>;
      library: () => Listing[];
      report: () => Certificate | null;
      apply: (command: Command) => Promise<null>;
      select: (target: state.Target | null) => void;
      /** Pictures between each of the last inputs of a hand and the first that showed what it did. */
      latency: () => number[];
      /** What the last step took, ms. */
      stepTime: () => number | null;
      /** World position of a body's origin. */
      position: (body: string) => Vec3;
      /** Where a point of a body, its origin when left out, is in the window, px. Points of the ground are
       * those of the world. */
      project: (body: string, point?: Vec3) => { x: number; y: number };
      /** What is drawn at a place of the window. */
      pick: (x: number, y: number) => state.Target | null;
    };
  }
}

const query = new URLSearchParams(location.search);
const page = document.getElementById('lab');
if (page === null) throw new Error('the page has no place for the lab');
const holder = document.createElement('div');
holder.className = 'stage';

const stage = new Stage(holder, query.get('quality') === 'low', (text) => {
  state.trouble.value = text;
});
const layer = new DataLayer(stage.textures, () => stage.invalidate());
stage.overlay.add(layer.group);
let isBare = true;
effect(() => {
  const { tables, pictures } = data.value;
  const bodies = state.look.value?.bodies ?? [];
  stage.textures.show(pictures, (name) => actions.engine.ask({ type: 'picture', name }));
  layer.show(data.value, new Set(bodies.flatMap(({ picture }) => picture?.name ?? [])));
  // What comes into an empty scene is looked at.
  const wasBare = isBare;
  isBare = tables.length + pictures.length === 0;
  if (wasBare && !isBare && bodies.length === 0) stage.fit();
});
const hand = new Hand(stage, actions.engine);
listenToKeys(stage, hand);
markPicture(stage);
shadePicture(stage);
findHeightBy(() => roundedDown(stage.floorBelow(), state.look.value?.extent ?? 1));
weighPicture(stage);
listenToDrops();
stage.onLeft = (isLeft) => {
  state.isLeft.value = isLeft;
};
effect(() => stage.follow(state.followed.value));

let version = 0;
let lastTime = Number.NaN;
let isReady = (): void => {};
const ready = new Promise<void>((resolve) => {
  isReady = resolve;
});

actions.onTold((message) => {
  if (message.type === 'ready') start();
  if (message.type === 'look') {
    if (message.opened) state.followed.value = null;
    version = message.version;
    lastTime = Number.NaN;
    stage.show(message.look, new Float64Array(message.poses), message.opened);
    hand.relook(message.look, message.opened);
  }
  if (message.type === 'frame') {
    if (message.version === version) {
      const { time_s } = message.certificate;
      const isPresent = message.wiggling === null && message.shown === null;
      stage.move(new Float64Array(message.poses), time_s !== lastTime && isPresent, message.traced);
      lastTime = time_s;
      hand.update();
    }
    actions.engine.recycle(message.poses);
  }
});

/** Opens what the address asks for: a file beside the page, or a scene of the library. */
const openWanted = (): Promise<void> => {
  const file = query.get('file');
  return file === null ? actions.open(query.get('scene') ?? 'four-bar') : actions.openAddress(file);
};

const startAnew = async (): Promise<void> => {
  await openWanted().catch(async (error: unknown) => {
    await actions.open('four-bar');
    actions.say(error);
  });
  await actions.engine.ask({ type: 'run', running: !query.has('paused') });
};

const start = (): void => {
  resume(startAnew)
    .then(() => isReady())
    .catch(actions.say);
};

// Colors of the picture are those of the style sheet.
const paint = (): void => {
  const root = document.documentElement;
  root.dataset.theme = state.theme.value;
  // Through an element that has it: colors of the system are names, which only the browser can look up.
  const probe = document.createElement('i');
  Object.assign(probe.style, { display: 'none', forcedColorAdjust: 'none' });
  root.append(probe);
  const color = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colors: Colors = { background: color('--stage'), ink: color('--joint'), hand: color('--hand') };
  probe.remove();
  stage.setColors(colors);
  layer.paint(colors.ink);
};
for (const media of ['(prefers-color-scheme: dark)', '(forced-colors: active)'])
  window.matchMedia(media).addEventListener('change', paint);
effect(paint);
effect(() => {
  const name = state.look.value?.name;
  document.title = name === undefined ? 'Linkwork lab' : `${name} – Linkwork lab`;
});

render(<Lab hand={hand} holder={holder} view={stage} picture={(...of) => stage.picture(...of)} />, page);
actions.engine.start();

const bodyNamed = (name: string): number => {
  const body = state.look.value?.bodies.findIndex((own) => own.name === name) ?? -1;
  if (body < 0) throw new Error(`no body is called "${name}"`);
  return body;
};
const worldPoint = (name: string, point: Vec3 = [0, 0, 0]): Vector3 => {
  const local = new Vector3(...point);
  if (name === 'ground') return local;
  return stage.model?.toWorld(bodyNamed(name), local) ?? local;
};

window.linkwork = {
  ready,
  stateHash: () => actions.engine.ask({ type: 'hash' }),
  log: () => actions.engine.ask({ type: 'log' }),
  save: () => actions.engine.ask({ type: 'save' }),
  open: actions.open,
  step: () => actions.engine.ask({ type: 'step' }),
  library: () => state.library.value,
  report: () => state.certificate.value,
  apply: (command) => actions.engine.apply(command),
  select: (target) => {
    state.selection.value = target;
  },
  latency: () => actions.engine.latency.recent,
  stepTime: () => state.stepTime.value,
  position: (body) => worldPoint(body).toArray(),
  project: (body, point) => stage.project(worldPoint(body, point)),
  pick: (x, y) => stage.pick(x, y)?.target ?? null,
};
