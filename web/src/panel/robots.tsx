// Robots that are imported: which model is meant, and what became of it.

import { useEffect, useRef } from 'preact/hooks';
import * as state from '../state';

/** As many as are read at a glance. */
const SHOWN = 8;

export const WhichRobot = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const question = state.choosing.value;
  const isAsked = question !== null;
  useEffect(() => {
    if (isAsked) dialog.current?.showModal();
  }, [isAsked]);
  if (question === null) return null;
  const { models, answer } = question;
  return (
    <dialog class="leaving robots" aria-label="Which robot" ref={dialog} onClose={() => answer(null)}>
      <p>There are {models.length} models in these files. Which one do you mean?</p>
      <div class="answers">
        {models.map((model) => (
          <button type="button" key={model} onClick={() => answer(model)}>
            {model}
          </button>
        ))}
        <button type="button" onClick={() => answer(null)}>
          None
        </button>
      </div>
    </dialog>
  );
};

export const ImportedRobot = () => {
  const robot = state.imported.value;
  if (robot === null) return null;
  const { model, missing, report } = robot;
  const more = missing.length - SHOWN;
  return (
    <section class="kept robots" aria-label="Imported robot">
      <button
        type="button"
        class="close"
        aria-label="Close"
        onClick={() => {
          state.imported.value = null;
        }}
      >
        ×
      </button>
      <p role="status">
        <b>{model}</b> is imported; time stands.
      </p>
      {missing.length === 0 ? null : (
        <>
          <p role="alert">
            {missing.length === 1 ? 'A file is' : `${missing.length} files are`} missing and not drawn. Drop the folder
            that has them, or all files at once:
          </p>
          <ul>
            {missing.slice(0, SHOWN).map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
          {more > 0 ? <p class="more">and {more} more</p> : null}
        </>
      )}
      <details>
        <summary>What was read, approximated and refused</summary>
        <pre>{report}</pre>
      </details>
    </section>
  );
};
