// A number that is typed, nudged with the arrow keys, or dragged by its label; or a text over parameters.

import { useRef, useState } from 'preact/hooks';
import { check } from '../formulas';
import { type Put, Series, wordsOf } from '../series';
import { type Field, refusal } from './fields';

interface Props extends Omit<Field, 'path'> {
  /** As the entry says it; none when it does not. */
  value: number | null;
  /** Makes it this; `null` when an optional number goes. */
  edit: Put<number | null>;
  /** The text that it is, if it is one. */
  text?: string | null;
  /** Makes it a text, or a number in place of its text. */
  write?: Put<string | number>;
  /** Makes a name that is not known a parameter, with the text that wants it. */
  make?: (name: string, typed: string) => Promise<unknown>;
}

/** A text that was refused for a name. */
interface Wanting {
  typed: string;
  unknown: string;
}

/** As many digits as people tell apart. */
const shown = (value: number): string => String(Number(value.toPrecision(6)));

const numberOf = (typed: string): number => Number(typed.replace(',', '.'));
const isNumber = (typed: string): boolean => typed !== '' && Number.isFinite(numberOf(typed));

/** The place of the second digit: a tenth of the number's own size. */
const stepOf = (value: number): number => 10 ** (Math.floor(Math.log10(Math.max(Math.abs(value), 1e-12))) - 1);

/** Where a drag of so many pixels leads: sizes grow in proportion, other numbers evenly. */
export const dragged = (from: number, pixels: number, { limit, whole }: Pick<Field, 'limit' | 'whole'>): number => {
  if (whole === true) return from + Math.round(pixels / 12);
  if (limit === 'positive' && from > 0) return Number((from * 2 ** (pixels / 120)).toPrecision(4));
  const step = from === 0 ? 0.01 : stepOf(from) / 5;
  const to = Number((from + step * pixels).toPrecision(4));
  return limit === 'not-negative' ? Math.max(to, 0) : to;
};

export const NumberField = ({
  label,
  unit,
  help,
  limit,
  whole,
  absent,
  scale = 1,
  value,
  edit,
  text: formula = null,
  write,
  make,
}: Props) => {
  const [draft, setDraft] = useState<string | null>(null);
  const [words, setWords] = useState<string | null>(null);
  const [wanting, setWanting] = useState<Wanting | null>(null);
  /** What the arrow keys do while the field has the focus is one edit. */
  const nudges = useRef<Series<number | null> | null>(null);
  const scrub = useRef<{ pointer: number; x: number; from: number; series: Series<number | null> } | null>(null);

  const given = value ?? (typeof absent === 'number' ? absent : null);
  const text = formula ?? (given === null ? '' : shown(given * scale));
  const start = (): Series<number | null> => new Series(edit, setWords);

  const put = (to: number, series: Series<number | null>): void => {
    const bad = refusal(to, { limit, whole });
    if (bad === null) series.put(to / scale);
    else setWords(bad);
  };

  /** Says what is wrong with a text; a name that is not known can be made a parameter. */
  const refuse = async (typed: string, told: string | null): Promise<void> => {
    setWords(told);
    if (told === null || make === undefined) return;
    const mistake = await check(typed).then(
      (own) => own.mistake,
      () => undefined,
    );
    if (mistake?.unknown === undefined) return;
    setWords(mistake.hint === undefined ? mistake.message : `${mistake.message}: ${mistake.hint}`);
    setWanting({ typed, unknown: mistake.unknown });
  };

  const commit = (): void => {
    const typed = draft?.trim();
    setDraft(null);
    if (typed === undefined || typed === text) return;
    setWanting(null);
    if (typed.startsWith('=') && write !== undefined) new Series(write, (told) => void refuse(typed, told)).put(typed);
    else if (typed === '' && absent !== undefined) start().put(null);
    // A number in place of a text goes there even if it is what the text comes to.
    else if (formula !== null && write !== undefined && isNumber(typed))
      new Series(write, setWords).put(numberOf(typed) / scale);
    // Nothing that is no number reaches the engine.
    else put(typed === '' ? Number.NaN : numberOf(typed), start());
  };

  const finish = (): void => {
    // What was nudged is sent already.
    if (nudges.current === null) commit();
    else setDraft(null);
    nudges.current = null;
  };

  const nudge = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') finish();
    if (event.key === 'Escape') setDraft(null);
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const from = draft === null ? Number(text) : Number(draft.replace(',', '.'));
    if (!Number.isFinite(from)) return;
    const step = whole === true ? 1 : from === 0 ? 0.1 : stepOf(from) * (event.shiftKey ? 0.1 : 1);
    const to = Number((from + (event.key === 'ArrowUp' ? step : -step)).toPrecision(6));
    nudges.current ??= start();
    setDraft(refusal(to, { limit, whole }) === null ? String(to) : draft);
    put(to, nudges.current);
  };

  const press = (event: PointerEvent): void => {
    if (event.button !== 0 || given === null) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    scrub.current = { pointer: event.pointerId, x: event.clientX, from: given * scale, series: start() };
  };

  const pull = (event: PointerEvent): void => {
    const { current } = scrub;
    if (current === null || current.pointer !== event.pointerId) return;
    const pixels = Math.trunc((event.clientX - current.x) * (event.shiftKey ? 0.1 : 1));
    const to = dragged(current.from, pixels, { limit, whole });
    if (draft === null && pixels === 0) return;
    setDraft(shown(to));
    put(to, current.series);
  };

  const letGo = (): void => {
    if (scrub.current !== null) setDraft(null);
    scrub.current = null;
  };

  return (
    <div class="field" title={help}>
      <label>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: for pointers only; keys do the same in the input. */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the click is only kept from the input. */}
        <span
          class="scrub"
          onPointerDown={press}
          onPointerMove={pull}
          onPointerUp={letGo}
          onPointerCancel={letGo}
          onClick={(event) => event.preventDefault()}
        >
          {label}
        </span>
        <input
          type="text"
          data-typed={draft !== null}
          class={formula === null ? undefined : 'text'}
          title={formula === null || given === null ? undefined : `= ${shown(given * scale)} ${unit}`}
          inputMode={formula === null ? 'decimal' : 'text'}
          aria-label={unit === '' ? label : `${label}, ${unit}`}
          placeholder={typeof absent === 'string' ? absent : ''}
          aria-invalid={words !== null}
          value={draft ?? text}
          onInput={(event) => {
            nudges.current = null;
            setDraft(event.currentTarget.value);
          }}
          onKeyDown={nudge}
          onBlur={finish}
        />
        <span class="unit">{unit}</span>
      </label>
      {words === null ? null : (
        <p class="refusal" role="status">
          {words}
        </p>
      )}
      {words === null || wanting === null || make === undefined ? null : (
        <div class="buttons">
          <button
            type="button"
            onClick={() => {
              setWanting(null);
              make(wanting.unknown, wanting.typed).then(
                () => setWords(null),
                (error: unknown) => setWords(wordsOf(error)),
              );
            }}
          >
            {`Make ${wanting.unknown} a parameter`}
          </button>
        </div>
      )}
    </div>
  );
};
