// A formula that is typed: every key is checked, nothing applies until it is whole, and a mistake is marked where it
// is.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Checked, Mistake } from '../engine/border';
import { check } from '../formulas';
import { wordsOf } from '../series';

interface Props {
  label: string;
  /** As it is now. */
  value: string;
  placeholder?: string;
  /** Checks what is typed; that of the engine when left out. */
  checks?: (typed: string) => Promise<Checked>;
  /** Makes it this. Fails with words. */
  put: (typed: string) => Promise<unknown>;
  /** Makes a name that is not known a parameter, with the text that wants it. */
  make?: (name: string, typed: string) => Promise<unknown>;
  /** Told in the margin while all is well. */
  margin?: string;
}

/** The text with its mistake marked, and ways to mend it. */
export const Marked = ({ typed, of }: { typed: string; of: Mistake }) => (
  <p class="mistake" role="status">
    <code>
      {typed.slice(0, of.start)}
      <mark>{typed.slice(of.start, of.end) || ' '}</mark>
      {typed.slice(Math.max(of.end, of.start))}
    </code>
    <span>
      {of.message}
      {of.hint === undefined ? '' : `: ${of.hint}`}
    </span>
  </p>
);

/** What is typed, checked key by key; the newest answer counts. */
const useChecked = (draft: string | null, checks: (typed: string) => Promise<Checked>): Checked | null => {
  const [checked, setChecked] = useState<{ typed: string; is: Checked } | null>(null);
  const newest = useRef<string | null>(null);
  useEffect(() => {
    newest.current = draft;
    if (draft === null || draft.trim() === '') return;
    checks(draft).then(
      (is) => {
        if (newest.current === draft) setChecked({ typed: draft, is });
      },
      () => {},
    );
  }, [draft]);
  return checked !== null && checked.typed === draft ? checked.is : null;
};

export const FormulaText = ({ label, value, placeholder, checks = check, put, make, margin }: Props) => {
  const [draft, setDraft] = useState<string | null>(null);
  const [words, setWords] = useState<string | null>(null);
  const checked = useChecked(draft, checks);
  const mistake = draft === null ? undefined : checked?.mistake;

  const send = (sent: Promise<unknown>): void => {
    sent.then(
      () => {
        setDraft(null);
        setWords(null);
      },
      (error: unknown) => setWords(wordsOf(error)),
    );
  };
  const commit = (): void => {
    const typed = draft?.trim();
    if (typed === undefined) return;
    if (typed === '' || typed === value) {
      setDraft(null);
      setWords(null);
      return;
    }
    // What is not whole stays where it is typed.
    if (mistake !== undefined) return;
    send(put(typed));
  };
  const unknown = mistake?.unknown;
  const typed = draft ?? value;
  return (
    <div class="formula">
      <input
        type="text"
        data-typed={draft !== null}
        spellcheck={false}
        autocomplete="off"
        aria-label={label}
        aria-invalid={mistake !== undefined || words !== null}
        placeholder={placeholder}
        value={typed}
        onInput={(event) => {
          setWords(null);
          setDraft(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') {
            setDraft(null);
            setWords(null);
          }
        }}
        onBlur={commit}
      />
      {margin === undefined || mistake !== undefined ? null : <span class="unit">{margin}</span>}
      {mistake === undefined ? null : <Marked typed={typed} of={mistake} />}
      {mistake === undefined ? null : (
        <div class="buttons">
          {mistake.mended.map((mended) => (
            // Before the field loses the focus and commits.
            <button
              key={mended}
              type="button"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => setDraft(mended)}
            >
              {`Write ${mended}`}
            </button>
          ))}
          {unknown === undefined || make === undefined ? null : (
            <button
              type="button"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => send(make(unknown, typed))}
            >
              {`Make ${unknown} a parameter`}
            </button>
          )}
        </div>
      )}
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
    </div>
  );
};
