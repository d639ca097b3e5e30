// What the engine is at, where it takes longer than the blink of an eye.

import * as actions from '../actions';
import * as state from '../state';

export const EngineState = () => (
  <>
    {state.opening.value === null ? null : (
      <p class="opening" role="status">
        Opening {state.opening.value} …
      </p>
    )}
    {state.isStuck.value ? (
      <div class="stuck" role="alert">
        <p>The engine has not answered for ten seconds.</p>
        <button type="button" onClick={actions.restart}>
          Restart the engine
        </button>
      </div>
    ) : null}
  </>
);
