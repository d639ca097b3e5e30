// The text of a joint that is a formula: of one that is there, and of a new one.

import * as actions from '../actions';
import type { Command, JointEntry, RelationLook } from '../engine/border';
import { withParameter } from '../formulas';
import * as state from '../state';
import { FormulaText } from './formula_text';

/** Changes some fields of a joint; the others stay as they are. */
export const changed = async (joint: string, fields: Partial<JointEntry>): Promise<Command> => {
  const entry = await actions.engine.ask({ type: 'entry', kind: 'joint', name: joint });
  return { set_joint: { ...entry, ...fields } as JointEntry };
};

export const RelationText = ({ of }: { of: RelationLook }) => (
  <FormulaText
    label={`formula of ${of.joint}`}
    value={of.text}
    // Names of columns are known where it is put.
    checks={of.table === undefined ? undefined : () => Promise.resolve({})}
    put={async (is) => actions.engine.apply(await changed(of.joint, { is }))}
    make={async (unknown, is) => withParameter(unknown, await changed(of.joint, { is }))}
  />
);

export const NewRelation = ({ label, placeholder }: { label: string; placeholder: string }) => {
  const names = new Set(state.look.value?.joints.map(({ name }) => name));
  let number = 1;
  while (names.has(`formula ${number}`)) number += 1;
  const put = (is: string): Command => ({ join: { name: `formula ${number}`, type: 'formula', is } });
  return (
    <FormulaText
      label={label}
      value=""
      placeholder={placeholder}
      put={(is) => actions.engine.apply(put(is))}
      make={(unknown, is) => withParameter(unknown, put(is))}
    />
  );
};
