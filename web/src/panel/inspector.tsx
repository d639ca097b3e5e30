// What the selected thing is, in numbers that can be changed: a body, a joint, a behavior, or the world.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as actions from '../actions';
import { duplicateSelected, pullApart, removeSelected } from '../build/edits';
import { niceBelow } from '../build/parts';
import { collideAll, counted, everythingCollides, fallThrough, setFloor } from '../collide';
import type { BehaviorEntry, BodyEntry, Command, JointEntry, WorldEntry } from '../engine/border';
import { labelOf, typeOf } from '../engine/catalogue';
import { at, numberAt, withGravity, withoutPose } from '../engine/change';
import { limitEntry, limitsOf, limitType } from '../engine/limits';
import type { AnyJoint, EntryOf } from '../engine/messages';
import { unreachable } from '../exhaustive';
import { fieldOf, numbersOfSelected, textAt, withParameter } from '../formulas';
import { directionOf, placeOf, pulse } from '../now';
import { choose, chosen } from '../recording';
import { quantityOf } from '../renamed';
import { Series, wordsOf } from '../series';
import * as state from '../state';
import { world } from '../world';
import * as fields from './fields';
import { FunctionFields, MotorFields } from './function_fields';
import { BodyValues, JointValues, Stall } from './live_values';
import { NameField } from './name_field';
import { NumberField } from './number_field';
import { NumberRow } from './number_row';
import { Pressure } from './pressure';
import { asBody, asJoint, bodyTypes, drivenAt, driverOf, frameAxis, jointTypes, type Moment } from './types';
import { useEntry } from './use_entry';

const many = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;

interface FormProps {
  of: unknown;
  list: fields.Field[];
  whose: Whose;
}

/** Who is shown in a form. */
type Whose = EntryOf & { kind: 'body' | 'joint' | 'behavior' | 'world' };

const WORLD: Whose = { kind: 'world', name: '' };

/** The lists of a file. */
const LISTS = { body: 'bodies', joint: 'joints', behavior: 'behaviors', world: 'world' };

const Numbers = ({ of, list, whose }: FormProps) => (
  <>
    {list.map((field) => {
      const where = fieldOf(LISTS[whose.kind], whose.name === '' ? null : whose.name, field.path);
      return (
        <NumberField
          key={field.path.join(' ')}
          {...field}
          value={numberAt(of, field.path)}
          edit={(value, again) => actions.changeField(whose, field.path, value ?? undefined, again)}
          text={textAt(where)}
          write={(to, again) => actions.change({ set_field: { field: where, to } }, again)}
          make={(name, to) => withParameter(name, { set_field: { field: where, to } })}
        />
      );
    })}
  </>
);

interface Edit<Value> {
  /** What was refused, in words. */
  words: string | null;
  /** What was asked for, until the engine has answered; then what it says. */
  shown: Value;
  send: (value: Value, answer: Promise<unknown>) => void;
}

/**
 * A choice or a switch: shows at once what was asked for, edits, and says beside it what was refused. `entry` is
 * another object whenever it was read anew; the engine answers in order, so one that comes after the edit's own
 * answer has the edit in it.
 */
const useEdit = <Value,>(entry: unknown, value: Value): Edit<Value> => {
  const [words, setWords] = useState<string | null>(null);
  const [asked, setAsked] = useState<{ value: Value } | null>(null);
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) setAsked(null);
  }, [entry]);
  const send = (value: Value, answer: Promise<unknown>): void => {
    isDone.current = false;
    setAsked({ value });
    answer.then(
      () => {
        isDone.current = true;
        setWords(null);
      },
      (error: unknown) => {
        setAsked(null);
        setWords(wordsOf(error));
      },
    );
  };
  return { words, shown: asked === null ? value : asked.value, send };
};

const Refusal = ({ words }: { words: string | null }) =>
  words === null ? null : (
    <p class="refusal" role="status">
      {words}
    </p>
  );

interface ChoiceProps {
  label: string;
  help?: string;
  of: unknown;
  value: string;
  /** Words, and what people call them. */
  options: readonly [string, string][];
  edit: (value: string) => Promise<unknown>;
}

const Choice = ({ label, help, of, value, options, edit }: ChoiceProps) => {
  const { words, shown, send } = useEdit(of, value);
  const choose = (word: string): void => send(word, edit(word));
  return (
    <div class="field" title={help}>
      <label>
        <span>{label}</span>
        <select aria-label={label} value={shown} onChange={(event) => choose(event.currentTarget.value)}>
          {options.map(([word, called]) => (
            <option key={word} value={word}>
              {called}
            </option>
          ))}
        </select>
      </label>
      <Refusal words={words} />
    </div>
  );
};

interface TypeProps<Entry> {
  sort: 'body' | 'joint';
  of: Entry;
  /** What it can become. */
  types: readonly string[];
  command: (type: string) => Command;
}

const TypeChoice = <Entry extends { type: string }>({ sort, of, types, command }: TypeProps<Entry>) => (
  <Choice
    label="type"
    help={typeOf(sort, of.type)?.help}
    of={of}
    value={of.type}
    options={types.map((type) => [type, labelOf(sort, type)])}
    edit={(type) => actions.engine.apply(command(type))}
  />
);

interface WordsProps<Entry> {
  sort: 'body' | 'joint' | 'behavior';
  of: Entry;
}

/** What is one of some words. */
const Words = <Entry extends { type: string; name: string }>({ sort, of }: WordsProps<Entry>) => (
  <>
    {fields.wordFields(sort, of).map(({ path, label, help, choices, absent }) => (
      <Choice
        key={path.join(' ')}
        label={label}
        help={help}
        of={of}
        value={String(at(of, path) ?? absent)}
        options={choices.map((own) => [own.word, own.label])}
        edit={(word) => actions.changeField({ kind: sort, name: of.name }, path, word)}
      />
    ))}
  </>
);

interface FlagProps<Entry> {
  of: Entry;
  label: string;
  help?: string;
  value: boolean;
  edit: (on: boolean) => Promise<unknown>;
}

const Switch = <Entry,>({ of, label, help, value, edit }: FlagProps<Entry>) => {
  const { words, shown, send } = useEdit(of, value);
  return (
    <div class="field" title={help}>
      <label>
        <span>{label}</span>
        <input
          type="checkbox"
          checked={shown}
          onChange={(event) => {
            const on = event.currentTarget.checked;
            send(on, edit(on));
          }}
        />
      </label>
      <Refusal words={words} />
    </div>
  );
};

interface EnabledProps {
  of: { enabled?: boolean };
  whose: Whose;
}

const Enabled = ({ of, whose }: EnabledProps) => (
  <Switch
    of={of}
    label="takes part"
    value={of.enabled !== false}
    edit={(enabled) => actions.changeField(whose, ['enabled'], enabled)}
  />
);

const Color = ({ of }: { of: BodyEntry }) => {
  const [words, setWords] = useState<string | null>(null);
  const series = useRef<Series<string> | null>(null);
  const put = (color: string, again: boolean): Promise<unknown> =>
    actions.changeField({ kind: 'body', name: of.name }, ['view', 'color'], color, again);
  return (
    <div class="field">
      <label>
        <span>color</span>
        <input
          type="color"
          value={of.view?.color ?? '#808080'}
          onInput={(event) => {
            series.current ??= new Series(put, setWords);
            series.current.put(event.currentTarget.value);
          }}
          onChange={() => {
            series.current = null;
          }}
        />
      </label>
      <Refusal words={words} />
    </div>
  );
};

const plot = (name: string): void => {
  choose([...chosen.value, name]);
  state.tab.value = 'plots';
};

/** Every joint that sits on a body. */
const jointsOn = (body: string): string[] => {
  const look = state.look.value;
  const order = look?.bodies.findIndex(({ name }) => name === body) ?? -1;
  return (look?.joints ?? []).filter(({ ends }) => ends.some((end) => end.body === order)).map(({ name }) => name);
};

/** Whether a body collides, and how; nothing of what has no shape. */
const Touch = ({ of, whose }: { of: BodyEntry; whose: Whose }) => {
  const look = state.look.value?.bodies.find(({ name }) => name === of.name);
  if (look?.collides === undefined) return null;
  const { flags, numbers } = fields.touchFields(of);
  return (
    <>
      {flags.map(({ path, label, help }) => (
        <Switch
          key={label}
          of={of}
          label={label}
          help={help}
          value={at(of, path) === true}
          edit={(on) => actions.changeField(whose, path, on || undefined)}
        />
      ))}
      <Numbers of={of} list={numbers} whose={whose} />
    </>
  );
};

/** Whether the eye goes along with a body, such as one that walks away. */
const Follow = ({ name }: { name: string }) => (
  <div class="field" title="The view follows this body">
    <label>
      <span>follow</span>
      <input
        type="checkbox"
        checked={state.followed.value === name}
        onChange={(event) => {
          state.followed.value = event.currentTarget.checked ? name : null;
        }}
      />
    </label>
  </div>
);

/** Sliders that pull the numbers of the selected body: its shape, its length, its area. */
const NumbersOfBody = () => {
  const numbers = numbersOfSelected();
  return numbers.length === 0 ? null : (
    <section class="formulas" aria-labelledby="inspect-numbers">
      <h2 id="inspect-numbers">Shape</h2>
      <p class="quiet">Sliders pull it like a hand.</p>
      <ul>
        {numbers.map((own) => (
          <NumberRow key={`${own.body} ${own.name}`} of={own} />
        ))}
      </ul>
    </section>
  );
};

const BodyForm = ({ of }: { of: BodyEntry }) => {
  const { name } = of;
  const joints = jointsOn(name);
  const whose: Whose = { kind: 'body', name };
  return (
    <>
      <TypeChoice
        sort="body"
        of={of}
        types={bodyTypes(of)}
        command={(type) => ({ set_body: withoutPose(asBody(of, type)) })}
      />
      <Numbers of={of} list={fields.bodyFields(of)} whose={whose} />
      <Words sort="body" of={of} />
      <Color of={of} />
      <Enabled of={of} whose={whose} />
      <Touch of={of} whose={whose} />
      <Follow name={name} />
      <BodyValues of={of} />
      <Pressure body={name} />
      <NumbersOfBody />
      <div class="buttons">
        <button type="button" onClick={() => void duplicateSelected().catch(actions.say)}>
          Duplicate
        </button>
        <button
          type="button"
          disabled={joints.length === 0}
          title="Removes all its joints"
          onClick={() => void pullApart(name)}
        >
          Detach
        </button>
        <button type="button" onClick={() => plot(quantityOf('body', name, 'position'))}>
          Plot this
        </button>
        <button type="button" onClick={() => void removeSelected()}>
          Delete
        </button>
      </div>
    </>
  );
};

const momentOf = (entry: AnyJoint): Moment => {
  const place = placeOf(entry.name);
  const frame = frameAxis(entry.a);
  return {
    axis: frame === null ? (place?.axis ?? null) : directionOf(frame.body, frame.axis),
    ends: place?.ends ?? [],
    time: state.certificate.value?.time_s ?? 0,
  };
};

/** The function of time of a joint that drives another. */
const Law = ({ of }: { of: AnyJoint }) => {
  const driven = typeOf('joint', of.type)?.joint?.drives;
  return of.function === undefined || driven === undefined ? null : (
    <FunctionFields joint={of.name} law={of.function} driven={driven} />
  );
};

/** What a motor gives: a torque, or a force where it slides. */
const motorQuantity = (of: AnyJoint): string | null =>
  of.motor === undefined ? null : driverOf(of)?.driven === 'length' ? 'motor.force' : 'motor.torque';

/** The most that a motor can give; none if there is no end to it. */
const mostOf = ({ motor }: AnyJoint): number | null => motor?.max_torque ?? motor?.max_force ?? null;

/** A joint that can be driven, and its motor. */
const Drive = ({ of }: { of: JointEntry }) => {
  const { words, send } = useEdit(of, null);
  const driver = driverOf(of);
  if (driver === null) return null;
  const rate = driver.driven === 'length' ? 0.1 * (state.look.value?.extent ?? 1) : Math.PI / 2;
  const drive = (): void => {
    const set_joint = drivenAt(of, rate);
    if (set_joint !== null) send(null, actions.engine.apply({ set_joint }));
  };
  const stop = (): void => send(null, actions.changeField({ kind: 'joint', name: of.name }, ['motor'], undefined));
  const isThere = (of as AnyJoint).motor !== undefined;
  const most = mostOf(of);
  const gives = motorQuantity(of);
  return (
    <>
      {isThere ? <MotorFields of={of} driven={driver.driven} /> : null}
      {most === null || gives === null ? null : <Stall quantity={quantityOf('joint', of.name, gives)} most={most} />}
      <div class="buttons">
        <button type="button" onClick={isThere ? stop : drive}>
          {isThere ? 'Remove the motor' : 'Drive it'}
        </button>
        <Refusal words={words} />
      </div>
    </>
  );
};

/** The limits of a joint: a joint of their own, shown with it. */
const Limits = ({ of }: { of: JointEntry }) => {
  const name = limitsOf(of.name);
  const isThere = state.look.value?.joints.some((own) => own.name === name) === true;
  const { words, send } = useEdit(of, null);
  const [refused, setRefused] = useState<string | null>(null);
  if (limitType(of) === null) return null;
  const reach = driverOf(of)?.driven === 'length' ? niceBelow(0.2 * (state.look.value?.extent ?? 1)) : Math.PI / 4;
  const limit = (): void => {
    actions.engine.ask({ type: 'limit', wide: limitEntry(of), reach }).then(
      () => setRefused(null),
      (error: unknown) => setRefused(wordsOf(error)),
    );
  };
  return (
    <>
      {isThere ? <LimitFields name={name} /> : null}
      <div class="buttons">
        <button type="button" onClick={isThere ? () => send(null, actions.engine.apply({ detach: name })) : limit}>
          {isThere ? 'Remove the limits' : 'Limit it'}
        </button>
        <Refusal words={words ?? refused} />
      </div>
    </>
  );
};

const LimitFields = ({ name }: { name: string }) => {
  const entry = useEntry('joint', name);
  return entry === null ? null : (
    <fieldset>
      <legend>Limits</legend>
      <Numbers of={entry} list={fields.jointFields(entry)} whose={{ kind: 'joint', name }} />
      <p class="quiet">Drag its stops in the picture.</p>
    </fieldset>
  );
};

/** Where a joint stands in the spanning tree, and what cannot be as it asks. */
const Standing = ({ of }: { of: JointEntry }) => {
  const look = state.look.value;
  const joint = look?.joints.find(({ name }) => name === of.name);
  const held = look?.bodies[joint?.holds ?? -1]?.name;
  const isLoop = joint?.closes_loop === true;
  let words = 'Not in the tree: it is inactive, or gives way.';
  if (isLoop) words = 'Closes a loop.';
  else if (held !== undefined) words = `In the tree: it holds ${held}.`;
  if (of.tree === 'in' && isLoop)
    words +=
      ' It cannot be in the tree: other joints that ask for it already connect its bodies, or it is not a branch.';
  if (of.tree === 'loop' && held !== undefined) words += ' It cannot close a loop: its body absorbs it.';
  return (
    <p class="quiet" data-standing={isLoop ? 'loop' : held === undefined ? 'apart' : 'tree'}>
      {words}
    </p>
  );
};

const JointForm = ({ of }: { of: JointEntry }) => {
  const { name } = of;
  const whose: Whose = { kind: 'joint', name };
  return (
    <>
      <TypeChoice
        sort="joint"
        of={of}
        types={jointTypes(of)}
        command={(next) => ({ set_joint: asJoint(of, next, momentOf(of)) })}
      />
      <Numbers of={of} list={fields.jointFields(of)} whose={whose} />
      <Words sort="joint" of={of} />
      <Standing of={of} />
      <Law of={of} />
      <Drive of={of} />
      <Limits of={of} />
      <Numbers of={of} list={fields.holdFields(of)} whose={whose} />
      <Enabled of={of} whose={whose} />
      <JointValues name={name} motor={motorQuantity(of)} />
      <div class="buttons">
        <button type="button" onClick={() => void removeSelected()}>
          Detach
        </button>
        <button type="button" onClick={() => plot(quantityOf('joint', name, motorQuantity(of) ?? 'force'))}>
          Plot this
        </button>
      </div>
    </>
  );
};

const BehaviorForm = ({ of }: { of: BehaviorEntry }) => {
  const whose: Whose = { kind: 'behavior', name: of.name };
  return (
    <>
      <Numbers of={of} list={fields.behaviorFields(of)} whose={whose} />
      <Words sort="behavior" of={of} />
      <Enabled of={of} whose={whose} />
      <div class="buttons">
        <button type="button" onClick={() => void removeSelected()}>
          Delete
        </button>
      </div>
    </>
  );
};

const WorldForm = () => {
  const look = state.look.value;
  const entry = world.value;
  if (entry === null || look === null) return <p class="quiet">No scene is open.</p>;
  const of = withGravity(entry);
  return (
    <>
      <h2>World</h2>
      <p class="quiet">
        {many(look.bodies.length, 'body', 'bodies')},{' '}
        {many(look.joints.filter(state.isWhole).length, 'joint', 'joints')}. Click something to see what it is.
      </p>
      <Numbers of={of} list={fields.worldFields(of, 'gravity')} whose={WORLD} />
      <Ground of={of} />
    </>
  );
};

/** The floor, and whether everything collides. */
const Ground = ({ of }: { of: WorldEntry }) => {
  const look = state.look.value;
  const through = fallThrough(look);
  const { can } = counted(look);
  return (
    <fieldset>
      <legend>Floor and collisions</legend>
      <div class="field">
        <label>
          <span>floor</span>
          <input
            type="checkbox"
            aria-label="floor"
            checked={look?.floor !== undefined}
            onChange={(event) => void setFloor(event.currentTarget.checked)}
          />
        </label>
      </div>
      {of.floor === undefined ? null : <Numbers of={of} list={fields.floorFields(of)} whose={WORLD} />}
      <div class="field" title="Bodies without a shape never collide">
        <label>
          <span>everything collides</span>
          <input
            type="checkbox"
            disabled={can === 0}
            checked={everythingCollides(look)}
            onChange={(event) => void collideAll(event.currentTarget.checked)}
          />
        </label>
      </div>
      {through === null ? null : <p class="quiet">{through}</p>}
    </fieldset>
  );
};

interface ShownProps {
  label: string;
  help: string;
  value: boolean;
  show: (on: boolean) => void;
}

/** Whether the scene shows something of what is computed. */
const Shown = ({ label, help, value, show }: ShownProps) => (
  <label class="forces" title={help}>
    <input type="checkbox" checked={value} onChange={(event) => show(event.currentTarget.checked)} /> {label}
  </label>
);

const AllShown = () => (
  <>
    <Shown
      label="Show forces in joints"
      help="Arrows at the joints"
      value={state.forcesShown.value}
      show={actions.showForces}
    />
    <Shown
      label="Show contacts and their forces"
      help="Points and arrows where bodies touch: the force on the second body"
      value={state.contactsShown.value}
      show={actions.showContacts}
    />
    <Shown
      label="Show the tree and its loops"
      help="Arrows from root to leaves; joints that close loops are red"
      value={state.treeShown.value}
      show={(on) => {
        state.treeShown.value = on;
      }}
    />
  </>
);

export const Inspector = () => {
  const target = state.wholeOf(state.selection.value);
  return (
    <section aria-label="Inspector" class="inspector">
      {target === null ? <WorldForm /> : <Selected key={`${target.kind} ${target.name}`} {...target} />}
      <AllShown />
    </section>
  );
};

const Titled = ({ kind, name, children }: state.Target & { children: ComponentChildren }) => (
  <>
    <header>
      <h2>{name}</h2>
      <button
        type="button"
        class="link"
        title="Shows the world instead"
        onClick={() => {
          state.selection.value = null;
        }}
      >
        World
      </button>
    </header>
    <p class="quiet">{kind}</p>
    <Name kind={kind} name={name} />
    {children}
  </>
);

/** What it is called: wherever it is named, that follows. */
const Name = (target: state.Target) => {
  const [words, setWords] = useState<string | null>(null);
  return (
    <div class="field" title="What it is called, here and in formulas">
      <label for="inspect-name">
        <span>name</span>
        <NameField id="inspect-name" name={target.name} rename={(to) => actions.rename(target, to)} told={setWords} />
      </label>
      <Refusal words={words} />
    </div>
  );
};

const SelectedBody = (target: state.Target) => {
  // Speeds change by themselves. A mesh is too much to be asked for all the time.
  const [isLarge, setLarge] = useState(false);
  const entry = useEntry('body', target.name, isLarge ? null : pulse.value);
  if (entry === null) return null;
  if (!isLarge && ('vertices' in entry || entry.view?.draw !== undefined)) setLarge(true);
  return (
    <Titled {...target}>
      <BodyForm of={entry} />
    </Titled>
  );
};

const SelectedJoint = (target: state.Target) => {
  const entry = useEntry('joint', target.name);
  return entry === null ? null : (
    <Titled {...target}>
      <JointForm of={entry} />
    </Titled>
  );
};

const SelectedBehavior = (target: state.Target) => {
  const entry = useEntry('behavior', target.name);
  return entry === null ? null : (
    <Titled {...target}>
      <BehaviorForm of={entry} />
    </Titled>
  );
};

const Selected = (target: state.Target) => {
  switch (target.kind) {
    case 'body':
      return <SelectedBody {...target} />;
    case 'joint':
      return <SelectedJoint {...target} />;
    case 'behavior':
      return <SelectedBehavior {...target} />;
    default:
      return unreachable(target.kind);
  }
};
