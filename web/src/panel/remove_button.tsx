// Takes something away; what hangs on it is told.

import * as actions from '../actions';
import type { Command } from '../engine/border';

export const RemoveButton = ({ name, command }: { name: string; command: Command }) => (
  <button type="button" class="small" aria-label={`Remove ${name}`} onClick={() => void actions.edit(command)}>
    ×
  </button>
);
