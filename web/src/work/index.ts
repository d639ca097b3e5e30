// Work of this tab: kept as it changes, given back when the page is loaded again, offered when a tab is gone.

import { download, engine, fileName, guardWork, onTold, openWork, say } from '../actions';
import * as state from '../state';
import { claims, memory } from './claims';
import { Keeper, type Work } from './keeper';
import { shelf } from './shelf';

const keeper = new Keeper(shelf, claims, memory, (trouble) => {
  state.unkept.value = trouble;
});

const nameNow = (): string => state.look.value?.name ?? 'scene';

const offer = async (): Promise<void> => {
  state.offers.value = await keeper.offers();
};

/** The scene as it is now, on the shelf; tells whether nothing would be lost. */
const keepNow = async (): Promise<boolean> => {
  try {
    return await keeper.keep(await engine.ask({ type: 'save' }), nameNow());
  } catch {
    // An engine that cannot say what it has: the last copy must do.
    return !keeper.isAtRisk;
  }
};

/** Whether another scene may take the place of this one: at once if this one is kept, else if the person says so. */
const mayLeave = async (): Promise<boolean> => {
  if (!keeper.isWork || (await keepNow()) || !keeper.isAtRisk) return true;
  const answer = await new Promise<state.Answer>((answer) => {
    state.leaving.value = { name: nameNow(), answer };
  });
  state.leaving.value = null;
  if (answer === 'save') {
    download(await engine.ask({ type: 'save' }), `${fileName()}.json`, 'application/json');
    keeper.saved();
  }
  return answer !== 'stay';
};

/** Another scene is open. */
const hasOpened = async (work: Work | null): Promise<void> => {
  state.restored.value = null;
  await keeper.begin(work);
  void offer();
};

/** Gives work back in place of the present scene. */
export const restore = async (work: Work): Promise<void> => {
  if (!(await keeper.claim(work.id))) {
    await offer();
    say(`${work.name} has been opened in another tab.`);
    return;
  }
  await openWork(work);
};

export const discard = async (work: Work): Promise<void> => {
  await keeper.discard(work.id);
  await offer();
};

/** Whether this page was there before: an address that is gone to anew asks for what it says. */
const isLoadedAgain = (): boolean => {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'reload' || navigation?.type === 'back_forward';
};

/** Opens what this tab had before it was loaded again; begins anew if there is nothing, or another tab has it. */
export const resume = async (beginAnew: () => Promise<void>): Promise<void> => {
  const work = isLoadedAgain() ? await keeper.before() : null;
  if (work === null || work === 'taken') await beginAnew();
  // What cannot be opened any longer stays on the shelf.
  else await openWork(work).catch((error: unknown) => beginAnew().then(() => say(error)));
  state.restored.value = work;
};

guardWork({ mayLeave, hasOpened, isInFile: () => keeper.saved() });

/** Edits that can be taken back or done again, as of the last frame. */
let depths = '0 0';

onTold((message) => {
  if (message.type === 'look') {
    if (message.opened) depths = '0 0';
    else if (depths !== '0 0') keeper.changed();
  }
  if (message.type === 'frame') {
    const { undo, redo } = message.certificate;
    const now = `${undo} ${redo}`;
    if (now !== depths) keeper.changed();
    depths = now;
  }
  if (message.type === 'kept') void keeper.keep(message.text, nameNow());
});

window.addEventListener('beforeunload', (event) => {
  if (keeper.isAtRisk) event.preventDefault();
});
// Other tabs come and go meanwhile.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && state.look.value !== null) void offer();
});
