// What can still move, what is held twice, what contradicts, and what to do about it.

import * as actions from '../actions';
import type { Findings, GapUnit } from '../engine/border';
import * as state from '../state';
import { short } from './format';

const CLOSURE: Record<Findings['closure'], string> = {
  closed: 'All joints are closed.',
  closable: 'Joints are open, but can be closed.',
  contradictory: 'Some joints cannot be closed together.',
  unknown: 'Joints are open; it is not known whether they can be closed.',
};

/** What to do about a joint that cannot hold. */
const OPEN_ADVICE: Record<GapUnit, string> = {
  m: 'Detach it, change a length, or give it a priority above 0 or some compliance, so that it gives way.',
  rad: 'Detach it, change a length, or give it a priority above 0 or some compliance, so that it gives way.',
  'm/s':
    'Drives ask for speeds that contradict each other: detach one, or give one a priority above 0, so that it gives way.',
};

/** What to do about a joint that repeats others: for good, or in this pose. */
const REPEATS_ADVICE =
  'Harmless: the motion is the same without it. To make its forces unique, let it hold less (a ball or cylindrical ' +
  'joint for a hinge), or give it a little compliance.';
const MOMENTARY_ADVICE = 'Only in this pose: it disappears in the next one.';

/** Joints that move what they hold by themselves. */
const isDriven = (): boolean =>
  (state.look.value?.joints ?? []).some(({ type, enabled }) => enabled && /drive|trajectory/.test(type ?? ''));

const ways = (count: number): string => {
  if (count === 0) return isDriven() ? 'Moves only as its drives prescribe.' : 'Cannot move.';
  return count === 1 ? 'Can move in 1 way.' : `Can move in ${count} ways.`;
};

const listed = (names: string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

const select = (name: string): void => {
  state.selection.value = { kind: 'joint', name };
};

const JointButton = ({ name }: { name: string }) => (
  <button type="button" class="link" aria-pressed={state.selection.value?.name === name} onClick={() => select(name)}>
    {name}
  </button>
);

const toggle = (motion: number): void => actions.wiggle(state.wiggling.value === motion ? null : motion);

const leftWhileHeld = (count: number | null): string => {
  if (count === null) return 'Too many contacts to compute the motions that keep them.';
  if (count === 0) return 'While these stay closed, nothing can move.';
  return `While these stay closed, ${count === 1 ? '1 way to move is' : `${count} ways to move are`} left.`;
};

/** What holds on one side only, and is there now. */
const HeldBy = ({ of: { of: names, rows, shared } }: { of: Findings['held'][number] }) => {
  const [first = '', second] = names;
  return (
    <li>
      {second === undefined ? (
        <>
          <JointButton name={first} /> is at its stop
        </>
      ) : (
        `${first} and ${second} touch at ${rows === 1 ? '1 point' : `${rows} points`}`
      )}
      {shared === true ? (
        <p class="quiet">Statics of rigid parts does not determine how this load is shared: one of many solutions.</p>
      ) : null}
    </li>
  );
};

/** Two bodies that are in each other, and what comes of it. */
const InEachOther = ({ of: { bodies, depth_m, collide } }: { of: Findings['overlaps'][number] }) => (
  <li>
    {`${listed(bodies)} are in each other by ${short(depth_m)} m`}
    <p class="quiet">
      {collide
        ? 'Contacts push them apart at once. Move one, or let one be in a group that does not collide with the other.'
        : 'They never collide: their groups keep them from it.'}
    </p>
  </li>
);

const Found = ({ of }: { of: Findings }) => (
  <>
    <p class="verdict">
      {ways(of.mobility)} {CLOSURE[of.closure]}
    </p>
    {of.closure === 'closable' ? (
      <div class="buttons">
        <button type="button" onClick={actions.assemble}>
          Assemble now
        </button>
      </div>
    ) : null}
    {of.contradictory.length === 0 ? null : (
      <>
        <h2 class="alarm">Contradicting joints</h2>
        <ul aria-label="Contradictory joints">
          {of.contradictory.map(({ joint, residual, unit }) => (
            <li key={joint}>
              <JointButton name={joint} /> stays open by {short(residual)} {unit}
              <p class="quiet">{OPEN_ADVICE[unit]}</p>
            </li>
          ))}
        </ul>
      </>
    )}
    {of.motions.length === 0 ? null : (
      <>
        <h2>Remaining motions</h2>
        <ul aria-label="Motions">
          {of.motions.map((bodies, motion) => (
            <li key={motion}>
              <button type="button" aria-pressed={state.wiggling.value === motion} onClick={() => toggle(motion)}>
                Wiggle
              </button>{' '}
              {listed(bodies)}
            </li>
          ))}
        </ul>
      </>
    )}
    {of.held.length === 0 ? null : (
      <>
        <h2>What touches</h2>
        <p class="quiet">{leftWhileHeld(of.held_mobility)} Friction is not counted.</p>
        <ul aria-label="What touches">
          {of.held.map((own) => (
            <HeldBy key={own.of.join(' and ')} of={own} />
          ))}
        </ul>
      </>
    )}
    {of.overlaps.length === 0 ? null : (
      <>
        <h2>What overlaps</h2>
        <ul aria-label="What overlaps">
          {of.overlaps.map((own) => (
            <InEachOther key={own.bodies.join(' and ')} of={own} />
          ))}
        </ul>
      </>
    )}
    {of.redundant.length === 0 ? null : (
      <>
        <h2>Redundant joints</h2>
        <ul aria-label="Redundant joints">
          {of.redundant.map(({ joint, rows, with: others, momentary }) => (
            <li key={joint}>
              <JointButton name={joint} /> repeats {rows === 1 ? 'one thing' : `${rows} things`}
              {others.length === 0 ? '' : ` that ${listed(others)} hold${others.length === 1 ? 's' : ''}`}
              <p class="quiet">{momentary ? MOMENTARY_ADVICE : REPEATS_ADVICE}</p>
            </li>
          ))}
        </ul>
      </>
    )}
    {of.undetermined.length === 0 ? null : (
      <>
        <h2>Undetermined forces</h2>
        <p class="quiet">
          Statics of rigid parts does not determine how these joints share their load: the forces shown are one of many
          solutions.
        </p>
        <ul aria-label="Undetermined joints" class="inline">
          {of.undetermined.map((joint) => (
            <li key={joint}>
              <JointButton name={joint} />
            </li>
          ))}
        </ul>
      </>
    )}
  </>
);

export const Diagnosis = () => {
  const { findings } = state;
  return (
    <section aria-label="Diagnosis" class="diagnosis">
      <div class="buttons">
        <button type="button" onClick={() => void actions.diagnose()} title="Stops time">
          Diagnose
        </button>
      </div>
      {findings.value === null ? (
        <p class="quiet">
          Finds the remaining degrees of freedom, redundant joints and contradicting joints. Pauses time.
        </p>
      ) : (
        <Found of={findings.value} />
      )}
    </section>
  );
};
