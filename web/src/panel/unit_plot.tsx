// Curves of one unit against time.

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { recorded, recording } from '../recording';
import * as state from '../state';
import { short } from './format';

const HEIGHT = 140;
/** Pictures are drawn at most so often, ms. */
const CALM = 80;

/** Colors of curves in the style sheet. */
export const CURVES = 6;

interface Props {
  unit: string;
  names: string[];
  /** How much of the past is shown, s. */
  seconds: number;
}

const dataOf = (names: string[], seconds: number): uPlot.AlignedData => {
  const from = recording.since(seconds);
  const curve = (name: string): (number | null)[] =>
    (recording.curves.get(name)?.values.slice(from) ?? []).map((value) => (Number.isFinite(value) ? value : null));
  return [recording.times.slice(from), ...names.map(curve)];
};

const optionsOf = (names: string[], width: number): uPlot.Options => {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: color('--quiet'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } };
  return {
    width,
    height: HEIGHT,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false } },
    axes: [
      { ...axis, size: 24, values: (_, values) => values.map((value) => `${short(value)} s`) },
      { ...axis, size: 52, values: (_, values) => values.map(short) },
    ],
    series: [
      {},
      ...names.map((label) => {
        const order = [...recording.curves.keys()].indexOf(label);
        return {
          label,
          stroke: color(`--curve-${(Math.max(order, 0) % CURVES) + 1}`),
          width: 1.5,
          points: { show: false },
        };
      }),
    ],
  };
};

export const UnitPlot = ({ unit, names, seconds }: Props) => {
  const holder = useRef<HTMLDivElement>(null);
  const theme = state.theme.value;
  useEffect(() => {
    const box = holder.current;
    if (box === null) return;
    const plot = new uPlot(optionsOf(names, box.clientWidth), dataOf(names, seconds), box);
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = recorded.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = null;
        plot.setData(dataOf(names, seconds));
      }, CALM);
    });
    const watcher = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
    watcher.observe(box);
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
      watcher.disconnect();
      plot.destroy();
    };
  }, [names.join('\n'), seconds, theme]);
  return (
    <figure aria-label={`${names.join(', ')} against time${unit === '' ? '' : `, ${unit}`}`}>
      <figcaption>{unit === '1' || unit === '' ? 'number' : unit}</figcaption>
      <div ref={holder} aria-hidden="true" />
    </figure>
  );
};
