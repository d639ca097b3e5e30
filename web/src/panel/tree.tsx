// Everything in the scene by name. Only the rows in sight are made, so that thousands stay smooth.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Look } from '../engine/border';
import { labelOf } from '../engine/catalogue';
import * as state from '../state';

/** Height of a row, px; the style sheet says the same. */
const ROW = 26;
/** Rows beyond the edges, so that scrolling shows no gap. */
const BEYOND = 6;

interface Item {
  kind: state.Target['kind'] | 'trace';
  name: string;
  type: string;
  enabled: boolean;
  /** What a click selects. */
  target: state.Target | null;
}

type Row = Item | { heading: string; count: number };

/** A motor is a part of its joint. */
const isWhole = ({ motor_of }: { motor_of?: string | null }): boolean => motor_of === undefined || motor_of === null;

/** Rows that have all the words, under headings. */
export const rowsOf = (look: Look, wanted: string): Row[] => {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ kind, name, type }: Item): boolean => {
    // Found by what files call it and by what people do.
    const text = `${kind} ${name} ${type} ${labelOf(kind, type)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const item =
    (kind: state.Target['kind']) =>
    ({ name, type, enabled }: { name: string; type: string | null; enabled: boolean }): Item => ({
      kind,
      name,
      type: type ?? '',
      enabled,
      target: { kind, name },
    });
  const traces = look.traces.map(({ name, at }): Item => {
    const body = at.body === null ? undefined : look.bodies[at.body];
    const target = body === undefined ? null : ({ kind: 'body', name: body.name } as const);
    return { kind: 'trace', name, type: '', enabled: true, target };
  });
  const groups: [string, Item[]][] = [
    ['Bodies', look.bodies.map(item('body'))],
    ['Joints', look.joints.filter(isWhole).map(item('joint'))],
    ['Behaviors', look.behaviors.filter(isWhole).map(item('behavior'))],
    ['Traces', traces],
  ];
  return groups.flatMap(([heading, items]): Row[] => {
    const found = items.filter(has);
    return found.length === 0 ? [] : [{ heading, count: found.length }, ...found];
  });
};

const isSelected = (item: Item): boolean => {
  const value = state.wholeOf(state.selection.value);
  return item.kind === value?.kind && item.name === value.name;
};

const choose = (item: Item | undefined): void => {
  if (item?.target) state.selection.value = item.target;
};

export const Tree = () => {
  const [wanted, setWanted] = useState('');
  const [top, setTop] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const look = state.look.value;
  const rows = useMemo(() => (look === null ? [] : rowsOf(look, wanted)), [look, wanted]);
  const current = rows.findIndex((row) => 'kind' in row && isSelected(row));

  const show = (row: number): void => {
    const box = list.current;
    if (box === null || row < 0) return;
    if (row * ROW < box.scrollTop) box.scrollTop = row * ROW;
    else if ((row + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (row + 1) * ROW - box.clientHeight;
  };
  useEffect(() => show(current), [current]);

  const walk = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 12,
      PageUp: -12,
      Home: -rows.length,
      End: rows.length,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const places = rows.flatMap((row, k) => ('kind' in row && row.target?.kind === row.kind ? [k] : []));
    const from = places.indexOf(current);
    const to = Math.min(Math.max(from < 0 && step > 0 ? step - 1 : from + step, 0), places.length - 1);
    const row = rows[places[to] ?? -1];
    if (row !== undefined && 'kind' in row) choose(row);
  };

  const height = list.current?.clientHeight ?? 600;
  const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const last = Math.min(rows.length, Math.ceil((top + Math.max(height, 300)) / ROW) + BEYOND);
  return (
    <section aria-label="Tree" class="tree">
      <input
        type="search"
        aria-label="Find in the scene"
        placeholder="Find by name or type"
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={walk}
      />
      <div
        ref={list}
        class="rows"
        role="listbox"
        aria-label="Things of the scene"
        tabIndex={0}
        aria-activedescendant={current < 0 ? undefined : `row-${current}`}
        onKeyDown={walk}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div class="all" style={{ height: `${rows.length * ROW}px` }}>
          {rows.slice(first, last).map((row, k) => {
            const place = first + k;
            const style = { top: `${place * ROW}px` };
            if ('heading' in row) {
              return (
                <h3 key={row.heading} style={style}>
                  {row.heading} <span>{row.count}</span>
                </h3>
              );
            }
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names its active row.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys.
              <div
                key={`${row.kind} ${row.name}`}
                id={`row-${place}`}
                role="option"
                class={row.enabled ? '' : 'off'}
                aria-selected={isSelected(row)}
                style={style}
                onClick={() => choose(row)}
              >
                <span class="name">{row.name}</span>
                <span class="type">{row.enabled ? labelOf(row.kind, row.type) : 'off'}</span>
              </div>
            );
          })}
        </div>
      </div>
      {rows.length === 0 && look !== null ? <p class="quiet">Nothing has these words.</p> : null}
    </section>
  );
};
