import { useEffect, useState } from 'preact/hooks';
import * as actions from '../actions';
import type { Entry, EntryKind } from '../engine/words';
import * as state from '../state';

/** The entry of something as it is now: asked for anew after every edit, and whenever `again` changes. */
export const useEntry = (kind: EntryKind, name: string, again: unknown = null): Entry | null => {
  const [known, setKnown] = useState<{ kind: EntryKind; name: string; entry: Entry | null } | null>(null);
  const look = state.look.value;
  useEffect(() => {
    let isCurrent = true;
    const keep = (entry: Entry | null): void => {
      if (isCurrent) setKnown({ kind, name, entry });
    };
    // What is gone is shown as nothing.
    actions.entry(kind, name).then(keep, () => keep(null));
    return () => {
      isCurrent = false;
    };
  }, [kind, name, look, again]);
  return known !== null && known.kind === kind && known.name === name ? known.entry : null;
};
