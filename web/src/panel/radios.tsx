// One of a few words.

import type { ComponentChildren } from 'preact';
import { rove } from './rove';

export interface Radio<Value> {
  value: Value;
  help: string;
  shown: ComponentChildren;
}

interface Props<Value> {
  label: string;
  class: string;
  of: readonly Radio<Value>[];
  value: Value;
  choose: (value: Value) => void;
}

export const Radios = <Value extends string>({ label, class: look, of, value, choose }: Props<Value>) => {
  // A value that is none of them leaves the first one to the Tab key.
  const stop = Math.max(
    of.findIndex((own) => own.value === value),
    0,
  );
  return (
    <div class={look} role="radiogroup" aria-label={label} onKeyDown={rove}>
      {of.map((own, k) => (
        <button
          key={own.value}
          type="button"
          role="radio"
          aria-checked={own.value === value}
          tabIndex={k === stop ? 0 : -1}
          title={own.help}
          onClick={() => choose(own.value)}
        >
          {own.shown}
        </button>
      ))}
    </div>
  );
};
