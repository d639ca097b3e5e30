// The joint that was just made: another type, or none after all. It stays for some seconds, or while it is used.

import { useEffect, useState } from 'preact/hooks';
import * as actions from '../actions';
import * as edits from '../build/edits';
import { labelOf } from '../engine/catalogue';
import * as state from '../state';

/** How long it stays, ms. */
const STAYS = 8000;

export const JoinedChip = () => {
  const [isUsed, setUsed] = useState(false);
  const { joined } = edits;
  const now = joined.value;
  const isThere = now !== null && (state.look.value?.joints ?? []).some(({ name }) => name === now.name);
  useEffect(() => {
    if (now === null || isUsed) return undefined;
    const timer = setTimeout(() => {
      joined.value = null;
    }, STAYS);
    return () => clearTimeout(timer);
  }, [now, isUsed]);
  if (now === null || !isThere) return null;
  return (
    <div
      class="joined"
      role="group"
      aria-label="New joint"
      onPointerEnter={() => setUsed(true)}
      onPointerLeave={() => setUsed(false)}
      onFocusCapture={() => setUsed(true)}
      onBlurCapture={() => setUsed(false)}
    >
      <label>
        Joined by{' '}
        <select
          value={now.type}
          onChange={(event) => {
            edits.rejoin(event.currentTarget.value).catch(actions.say);
          }}
        >
          {now.types.map((type) => (
            <option key={type} value={type}>
              {labelOf('joint', type)}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        title="Take it apart again (U)"
        onClick={() => {
          edits.detach(now.name).catch(actions.say);
        }}
      >
        Detach
      </button>
    </div>
  );
};
