// The graph of blocks (Witkin 1990, fig. 1): who feeds whom, from bodies on the left to what is held on the right.

import type { GraphNode } from '../engine/border';
import * as state from '../state';
import type { Target } from '../view/colors';

const BOX = { width: 92, height: 22, gap: 8, between: 40 };

interface Placed {
  node: GraphNode;
  x: number;
  y: number;
}

/** Nodes in columns by their layer, in each in the order of the file. */
export const placed = (graph: readonly GraphNode[]): Placed[] => {
  const filled = new Map<number, number>();
  return graph.map((node) => {
    const row = filled.get(node.layer) ?? 0;
    filled.set(node.layer, row + 1);
    return { node, x: node.layer * (BOX.width + BOX.between), y: row * (BOX.height + BOX.gap) };
  });
};

/** What a node is in the picture, if it is drawn. */
const targetOf = ({ kind, name }: GraphNode): Target | null => (kind === 'quantity' ? null : { kind, name });

/** Of a node everything that it is worked out of, and itself. */
export const feeds = (graph: readonly GraphNode[], at: number): Set<number> => {
  const all = new Set([at]);
  const open = [at];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const from of graph[next]?.takes ?? [])
      if (!all.has(from)) {
        all.add(from);
        open.push(from);
      }
  return all;
};

const Wire = ({ from, to, lit }: { from: Placed; to: Placed; lit: boolean }) => {
  const [x0, y0] = [from.x + BOX.width, from.y + BOX.height / 2];
  const [x1, y1] = [to.x, to.y + BOX.height / 2];
  const bend = BOX.between / 2;
  return <path class={lit ? 'lit' : undefined} d={`M${x0} ${y0} C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`} />;
};

const clipped = (name: string): string => (name.length > 13 ? `${name.slice(0, 12)}…` : name);

export const Graph = ({ of }: { of: readonly GraphNode[] }) => {
  const all = placed(of);
  const over = state.graphNode.value;
  const lit = over === null ? new Set<number>() : feeds(of, over);
  const width = Math.max(...all.map(({ x }) => x)) + BOX.width;
  const height = Math.max(...all.map(({ y }) => y)) + BOX.height;
  const show = (at: number | null): void => {
    const node = at === null ? undefined : of[at];
    state.graphNode.value = at;
    state.hover.value = node === undefined ? null : targetOf(node);
  };
  const choose = (node: GraphNode): void => {
    const target = targetOf(node);
    if (target !== null) state.selection.value = target;
  };
  return (
    <div class="graph">
      <svg
        viewBox={`-2 -2 ${width + 4} ${height + 4}`}
        width={width + 4}
        height={height + 4}
        role="group"
        aria-label="graph of formulas"
      >
        {all.flatMap((to, at) =>
          to.node.takes.flatMap((k) => {
            const from = all[k];
            return from === undefined ? [] : [<Wire key={`${k} ${at}`} from={from} to={to} lit={lit.has(at)} />];
          }),
        )}
        {all.map(({ node, x, y }, at) => (
          <g
            key={`${node.kind} ${node.name}`}
            class={[node.kind, ...(lit.has(at) ? ['lit'] : [])].join(' ')}
            transform={`translate(${x} ${y})`}
            data-node={node.name}
            onPointerEnter={() => show(at)}
            onPointerLeave={() => show(null)}
            role="button"
            tabIndex={0}
            aria-label={`${node.name}: ${WORDS[node.kind]}`}
            onFocus={() => show(at)}
            onBlur={() => show(null)}
            onClick={() => choose(node)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') choose(node);
            }}
          >
            <title>{`${node.name}: ${WORDS[node.kind]}`}</title>
            <rect width={BOX.width} height={BOX.height} rx={node.kind === 'body' ? 11 : 3} />
            <text x={BOX.width / 2} y={BOX.height / 2 + 4}>
              {clipped(node.name)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
};

const WORDS: Record<GraphNode['kind'], string> = {
  body: 'a body, or numbers',
  quantity: 'a quantity',
  joint: 'relations and wishes',
  behavior: 'a force',
};
