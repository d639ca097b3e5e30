// Work that is kept: what was restored, what can be brought back, and what to do where nothing can be kept.

import { useEffect, useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import * as state from '../state';
import { discard, restore } from '../work';
import type { Work } from '../work/keeper';

/** As many as are read at a glance. */
const SHOWN = 3;

/** When it was: the time today, the date before. */
export const whenOf = (when: number, now: number): string => {
  const [then, today] = [new Date(when), new Date(now)];
  const time = then.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  if (then.toDateString() === today.toDateString()) return `at ${time}`;
  return `on ${then.toLocaleDateString([], { day: 'numeric', month: 'short' })}, ${time}`;
};

const Offer = ({ work }: { work: Work }) => (
  <li>
    <span class="what">
      <b>{work.name}</b> {whenOf(work.when, Date.now())}
    </span>
    <button type="button" onClick={() => restore(work).catch(actions.say)}>
      Restore
    </button>
    <button
      type="button"
      title="Deletes it permanently"
      aria-label={`Discard ${work.name}`}
      onClick={() => discard(work).catch(actions.say)}
    >
      Discard
    </button>
  </li>
);

export const KeptWork = () => {
  const { offers, restored, unkept } = state;
  /** What has been seen and closed. */
  const [closed, setClosed] = useState('');
  const [isWhole, setWhole] = useState(false);
  const now = [
    restored.value === null ? '' : 'restored',
    unkept.value ?? '',
    ...offers.value.map(({ id }) => id),
  ].join();
  const isEmpty = offers.value.length === 0 && restored.value === null && unkept.value === null;
  if (isEmpty || closed === now) return null;
  const more = isWhole ? 0 : offers.value.length - SHOWN;
  return (
    <section class="kept" aria-label="Kept work">
      <button type="button" class="close" aria-label="Close" title="It stays kept" onClick={() => setClosed(now)}>
        ×
      </button>
      {unkept.value === null ? null : (
        <p role="alert">
          Changes are not kept: {unkept.value}. <b>Save</b> the scene to a file before you leave.
        </p>
      )}
      {restored.value === null ? null : (
        <p role="status">
          {restored.value === 'taken'
            ? 'Your changes are in another tab, which has this scene open. This tab begins anew.'
            : `${restored.value.name} is as you left it ${whenOf(restored.value.when, Date.now())}; time is paused, and the undo history is empty.`}
        </p>
      )}
      {offers.value.length === 0 ? null : (
        // Whoever has begun to work has seen them.
        <details open={(state.certificate.value?.undo ?? 0) === 0}>
          <summary>Kept from before: {offers.value.length === 1 ? 'a scene' : `${offers.value.length} scenes`}</summary>
          <ul>
            {offers.value.slice(0, isWhole ? undefined : SHOWN).map((work) => (
              <Offer key={work.id} work={work} />
            ))}
          </ul>
          {more > 0 ? (
            <button type="button" class="link" onClick={() => setWhole(true)}>
              {more} more
            </button>
          ) : null}
        </details>
      )}
    </section>
  );
};

export const LeavingQuestion = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const question = state.leaving.value;
  const isAsked = question !== null;
  useEffect(() => {
    if (isAsked) dialog.current?.showModal();
  }, [isAsked]);
  if (question === null) return null;
  const { name, answer } = question;
  return (
    <dialog class="leaving" aria-label="Changes are not kept" ref={dialog} onClose={() => answer('stay')}>
      <p>
        The changes of <b>{name}</b> are not kept: {state.unkept.value ?? 'they could not be stored'}. If you go on,
        they are lost.
      </p>
      <div class="answers">
        <button type="button" onClick={() => answer('save')}>
          Save to a file, then go on
        </button>
        <button type="button" onClick={() => answer('go')}>
          Go on without them
        </button>
        <button type="button" onClick={() => answer('stay')}>
          Stay
        </button>
      </div>
    </dialog>
  );
};
