// Data: tables and pictures, and what can be put on them.

import { useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import { blur, data, fitEllipse, fitSpline, putSnake, SHARP } from '../data';
import type { PictureLook, TableLook } from '../engine/border';
import { Series, wordsOf } from '../series';

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
          title="How far edges are felt: begin wide, and make it smaller"
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
          title="Halves the blur, so that snakes find edges more closely"
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
        <p class="quiet">Drop a table (CSV) or a picture onto the page: curves are fitted to it.</p>
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
