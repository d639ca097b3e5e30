import { useEffect, useState } from 'preact/hooks';
import * as actions from '../actions';
import type { Entries, EntryKind } from '../engine/messages';
import * as state from '../state';

/** The entry of something as it is now: asked for anew after every edit, and whenever `again` changes. */
export const useEntry = <K extends EntryKind>(kind: K, name: string, again: unknown = null): Entries[K] | null => {
  const [known, setKnown] = useState<{ kind: K; name: string; entry: Entries[K] | null } | null>(null);
  const look = state.look.value;
  useEffect(() => {
    let isCurrent = true;
    const keep = (entry: Entries[K] | null): void => {
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
