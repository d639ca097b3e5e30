// What the pointer and the keys do, and under which licenses all of it is.

import { useEffect, useRef } from 'preact/hooks';
import { KEYS, type Key } from '../keys';

const POINTER: [string, string][] = [
  ['press on or near a body and drag', 'pulls it; places that come near each other join on release'],
  ['drag with Alt', 'pulls it out of its joints'],
  ['drag with Shift, holding the frame', 'turns it; Alt and the wheel roll it'],
  ['click', 'selects; on nothing deselects'],
  ['drag elsewhere', 'turns the view; with the right button moves it'],
  ['wheel', 'comes nearer, goes further away'],
  ['drag a part from the palette', 'adds it to the world, running or not'],
];

const NAMES: Record<string, string> = { ' ': 'Space', delete: 'Delete', backspace: 'Backspace', escape: 'Escape' };

/** A key as it is written on keyboards. */
export const nameOf = ({ key, control = false, shift = false }: Pick<Key, 'key' | 'control' | 'shift'>): string =>
  [...(control ? ['Ctrl'] : []), ...(shift ? ['Shift'] : []), NAMES[key] ?? key.toUpperCase()].join('+');

/** Licenses are in a file beside the page that `cargo xtask page` writes. */
export const Help = ({ close }: { close: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const rows: [string, string][] = [...POINTER, ...KEYS.map((key): [string, string] => [nameOf(key), key.does])];
  return (
    <dialog class="help" aria-label="Help" ref={dialog} onClose={close}>
      <header>
        <h2>Pointer and keys</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <dl>
        {rows.map(([what, does]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <footer>
        Linkwork is under MIT or Apache-2.0.{' '}
        <a href="licenses.txt" target="_blank" rel="noreferrer">
          Licenses of third-party code
        </a>
      </footer>
    </dialog>
  );
};
