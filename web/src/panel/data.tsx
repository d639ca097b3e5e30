// Data: tables and pictures, and what can be put on them.

import { useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import { blur, data, fitEllipse, fitSpline, plotAngles, pullBody, putSnake, SHARP } from '../data';
import type { PictureLook, TableLook } from '../engine/border';
import { pulse } from '../now';
import { fittingOf } from '../points';
import { Series, wordsOf } from '../series';
import { points } from '../shading';
import * as state from '../state';
import { measured } from './legend';

/** Does something, and tells why not. */
const useDoing = (): [string | null, (doing: Promise<unknown>) => void, (words: string | null) => void] => {
  const [words, setWords] = useState<string | null>(null);
  const does = (doing: Promise<unknown>): void => {
    doing.then(
      () => setWords(null),
      (error: unknown) => setWords(wordsOf(error)),
    );
  };
  return [words, does, setWords];
};

const Refusal = ({ words }: { words: string | null }) =>
  words === null ? null : (
    <p class="refusal" role="status">
      {words}
    </p>
  );

/** How well its points and the bodies fit that they pull, and what they can pull besides. */
const Pulls = ({ of }: { of: TableLook }) => {
  const [words, does] = useDoing();
  // Numbers change with frames, calmly.
  pulse.value;
  const { joints = [], bodies = [] } = state.look.value ?? {};
  const selected = state.selection.value;
  const body = bodies.find(({ name }) => selected?.kind === 'body' && selected.name === name);
  const canPull = body?.movable === true && of.labels !== undefined && (of.labels || body.rings !== undefined);
  return (
    <>
      {of.pulls === undefined ? null : (
        <ul class="pulls">
          {of.pulls.map((joint) => {
            const at = joints.findIndex(({ name }) => name === joint);
            const fit = points === null ? null : fittingOf(points, at);
            return (
              <li key={joint}>
                {joint}: {fit === null ? '…' : `rms ${measured(fit.rms, 'm')} of ${fit.points} points`}
              </li>
            );
          })}
        </ul>
      )}
      {of.pulls === undefined && of.labels !== undefined ? (
        <div class="buttons">
          <button
            type="button"
            disabled={!canPull}
            title={
              of.labels
                ? 'Its points pull the selected body, each at its own place'
                : 'Its points pull the surface of the selected superquadric'
            }
            onClick={() => {
              if (body !== undefined) does(pullBody(of, body.name));
            }}
          >
            Pull {canPull ? body.name : 'a body'}
          </button>
        </div>
      ) : null}
      {of.pulls === undefined ? null : (
        <div class="buttons">
          <button
            type="button"
            title="Angles of the joints between bodies, in the panel Plots"
            onClick={() => does(plotAngles())}
          >
            Plot joint angles
          </button>
        </div>
      )}
      <Refusal words={words} />
    </>
  );
};

const TableRow = ({ of }: { of: TableLook }) => {
  const [words, does] = useDoing();
  const rows = of.rows === 1 ? 'one row' : `${of.rows} rows`;
  return (
    <li data-table={of.name}>
      <div class="datum">
        <span>{of.name}</span>
        <span class="quiet">
          {rows} of {of.columns.join(', ')}
        </span>
        <button
          type="button"
          class="small"
          aria-label={`Remove ${of.name}`}
          onClick={() => does(actions.engine.apply({ remove_table: of.name }))}
        >
          ×
        </button>
      </div>
      <Pulls of={of} />
      {of.points.length < 3 ? null : (
        <div class="buttons">
          <button type="button" onClick={() => does(fitEllipse(of))}>
            Fit an ellipse
          </button>
          <button type="button" onClick={() => does(fitSpline(of))}>
            Fit a spline
          </button>
        </div>
      )}
      <Refusal words={words} />
    </li>
  );
};

const MOST_BLUR = 16;

const PictureRow = ({ of }: { of: PictureLook }) => {
  const [words, does, setWords] = useDoing();
  const [shown, setShown] = useState<number | null>(null);
  const series = useRef<Series<number> | null>(null);
  const now = shown ?? of.blur;
  return (
    <li data-picture={of.name}>
      <div class="datum">
        <span>{of.name}</span>
        <button
          type="button"
          class="small"
          aria-label={`Remove ${of.name}`}
          onClick={() => does(actions.engine.apply({ remove_picture: of.name }))}
        >
          ×
        </button>
      </div>
      <label class="number">
        <span>blur</span>
        <input
          type="range"
          aria-label={`blur of ${of.name}`}
          title="How far away edges are noticed: begin wide, then reduce it"
          min={0}
          max={Math.max(MOST_BLUR, of.blur)}
          step={0.5}
          value={now}
          aria-valuetext={`${now} pixels`}
          onInput={(event) => {
            const to = event.currentTarget.valueAsNumber;
            setShown(to);
            series.current ??= new Series((value, again) => blur(of.name, value, again), setWords);
            series.current.put(to);
          }}
          onChange={() => {
            series.current = null;
            setShown(null);
          }}
        />
        <output>{now} px</output>
      </label>
      <div class="buttons">
        <button type="button" onClick={() => does(putSnake(of))}>
          Put a snake on it
        </button>
        <button
          type="button"
          title="Halves the blur, so that snakes find edges more precisely"
          disabled={of.blur <= SHARP}
          onClick={() => does(blur(of.name, Math.max(SHARP, of.blur / 2), false))}
        >
          Sharpen
        </button>
      </div>
      <Refusal words={words} />
    </li>
  );
};

export const DataOfScene = () => {
  const { tables, pictures } = data.value;
  return (
    <section aria-labelledby="formulas-data">
      <h2 id="formulas-data">Data</h2>
      {tables.length + pictures.length === 0 ? (
        <p class="quiet">
          Drop a table (CSV), points (TRC, PLY, XYZ) or a picture onto the page: curves and bodies are fitted to it.
        </p>
      ) : null}
      <ul>
        {tables.map((own) => (
          <TableRow key={own.name} of={own} />
        ))}
        {pictures.map((own) => (
          <PictureRow key={own.name} of={own} />
        ))}
      </ul>
    </section>
  );
};
