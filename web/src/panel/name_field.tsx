import { useEffect, useRef, useState } from 'preact/hooks';
import { wordsOf } from '../series';

interface NameProps {
  name: string;
  rename: (to: string) => Promise<unknown>;
  told: (words: string | null) => void;
  /** For the label that stands beside it. */
  id?: string;
}

/** The new name whose field has the focus, as the one of the old name had. */
let focused: string | null = null;

/** A name that can be another. */
export const NameField = ({ name, rename, told, id }: NameProps) => {
  const [draft, setDraft] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused !== name) return;
    focused = null;
    input.current?.focus();
  }, [name]);
  const commit = (isStaying: boolean): void => {
    const to = draft?.trim();
    setDraft(null);
    if (to === undefined || to === '' || to === name) return;
    focused = isStaying ? to : null;
    rename(to).then(
      () => told(null),
      (error: unknown) => {
        focused = null;
        told(wordsOf(error));
      },
    );
  };
  return (
    <input
      ref={input}
      id={id}
      type="text"
      data-typed={draft !== null}
      class="name"
      spellcheck={false}
      aria-label={`name of ${name}`}
      value={draft ?? name}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(true);
        if (event.key === 'Escape') setDraft(null);
      }}
      onBlur={() => commit(false)}
    />
  );
};
