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

/** A heading and what is under it, each with its place among its like, from 1. */
type Row = (Item | { heading: string; count: number; isClosed: boolean }) & { place: number; of: number };

const keyOf = (row: Row): string => ('heading' in row ? row.heading : `${row.kind} ${row.name}`);

const NONE: ReadonlySet<string> = new Set();

/** Rows that have all the words, under headings. Those of closed headings are left out, unless they are looked for. */
export const rowsOf = (look: Look, wanted: string, closed = NONE): Row[] => {
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
  const groups = (
    [
      ['Bodies', look.bodies.map(item('body'))],
      ['Joints', look.joints.filter(state.isWhole).map(item('joint'))],
      ['Behaviors', look.behaviors.filter(state.isWhole).map(item('behavior'))],
      ['Traces', traces],
    ] as const
  )
    .map(([heading, items]) => ({ heading, found: items.filter(has) }))
    .filter(({ found }) => found.length > 0);
  return groups.flatMap(({ heading, found }, k): Row[] => {
    const isClosed = words.length === 0 && closed.has(heading);
    const count = found.length;
    const under = isClosed ? [] : found.map((own, k) => ({ ...own, place: k + 1, of: count }));
    return [{ heading, count, isClosed, place: k + 1, of: groups.length }, ...under];
  });
};

const isSelected = (item: Item): boolean => {
  const value = state.wholeOf(state.selection.value);
  return item.kind === value?.kind && item.name === value.name;
};

const choose = (item: Item | undefined): void => {
  if (item?.target) state.selection.value = item.target;
};

/** Whether keys that come to it select it. A trace would select the body it rides on, and keys would go on there. */
const isOwn = (row: Row): row is Row & Item => 'kind' in row && row.target?.kind === row.kind;

export const Tree = () => {
  const [wanted, setWanted] = useState('');
  const [closed, setClosed] = useState(NONE);
  const [top, setTop] = useState(0);
  /** The row where keys are, if that is not what is selected, until something else is. */
  const [left, setLeft] = useState<{ at: string; selected: state.Target | null } | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const look = state.look.value;
  const selected = state.selection.value;
  const at = left?.selected === selected ? left.at : null;
  const rows = useMemo(() => (look === null ? [] : rowsOf(look, wanted, closed)), [look, wanted, closed]);
  const current = rows.findIndex((row) => (at === null ? 'kind' in row && isSelected(row) : keyOf(row) === at));

  const show = (row: number): void => {
    const box = list.current;
    if (box === null || row < 0) return;
    if (row * ROW < box.scrollTop) box.scrollTop = row * ROW;
    else if ((row + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (row + 1) * ROW - box.clientHeight;
  };
  useEffect(() => show(current), [current]);

  const stand = (row: Row): void => setLeft({ at: keyOf(row), selected: state.selection.value });
  const goTo = (row: Row | undefined): void => {
    if (row === undefined) return;
    if (isOwn(row)) {
      setLeft(null);
      choose(row);
    } else stand(row);
  };
  const toggle = (row: Row & { heading: string }): void => {
    const next = new Set(closed);
    if (!next.delete(row.heading)) next.add(row.heading);
    setClosed(next);
    stand(row);
  };
  const press = (row: Row): void => {
    if ('heading' in row) toggle(row);
    else {
      setLeft(null);
      choose(row);
    }
  };

  /** As trees do: left and right close and open, and go to the heading and back. */
  const go = (key: string): boolean => {
    const row = rows[current];
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 }[key];
    if (step !== undefined) goTo(rows[Math.min(Math.max(current + step, 0), rows.length - 1)]);
    else if (key === 'Home') goTo(rows[0]);
    else if (key === 'End') goTo(rows.at(-1));
    else if (row === undefined) return false;
    else if (key === 'Enter' || key === ' ') press(row);
    else if (key === 'ArrowRight' && 'heading' in row) {
      if (row.isClosed) toggle(row);
      else goTo(rows[current + 1]);
    } else if (key === 'ArrowLeft' && 'heading' in row) {
      if (!row.isClosed) toggle(row);
    } else if (key === 'ArrowLeft') goTo(rows.slice(0, current).findLast((own) => 'heading' in own));
    else return false;
    return true;
  };
  const walk = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || !go(event.key)) return;
    event.preventDefault();
    // The space bar would run the scene too.
    event.stopPropagation();
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
        onKeyDown={(event) => {
          // The other keys are for the words.
          if (/^(Arrow|Page)(Up|Down)$/.test(event.key)) walk(event);
        }}
      />
      <div
        ref={list}
        class="rows"
        role="tree"
        aria-label="Things of the scene"
        tabIndex={0}
        aria-activedescendant={current < first || current >= last ? undefined : `row-${current}`}
        onKeyDown={walk}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div class="all" role="presentation" style={{ height: `${rows.length * ROW}px` }}>
          {rows.slice(first, last).map((row, k) => {
            const isHeading = 'heading' in row;
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names its active row.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys.
              <div
                key={keyOf(row)}
                id={`row-${first + k}`}
                role="treeitem"
                class={isHeading ? 'heading' : row.enabled ? '' : 'off'}
                aria-level={isHeading ? 1 : 2}
                aria-posinset={row.place}
                aria-setsize={row.of}
                aria-expanded={isHeading ? !row.isClosed : undefined}
                aria-selected={isHeading ? undefined : isSelected(row)}
                data-at={first + k === current}
                style={{ top: `${(first + k) * ROW}px` }}
                onClick={() => press(row)}
              >
                <span class="name">{isHeading ? row.heading : row.name}</span>
                <span class="type">{isHeading ? row.count : row.enabled ? labelOf(row.kind, row.type) : 'off'}</span>
              </div>
            );
          })}
        </div>
      </div>
      {rows.length === 0 && look !== null ? <p class="quiet">Nothing matches.</p> : null}
    </section>
  );
};
