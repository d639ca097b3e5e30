// Which numbers an entry of a file has that people change, and what they are called: as the catalogue says.

import type {
  BodyEntryFields,
  Driven,
  FieldInfo,
  FunctionEntry,
  JointEntryFields,
  RangeInfo,
  WorldEntry,
} from '../engine/border';
import { type Choice, choicesOf, commonOf, fieldLabel, type SortName, typeOf, worldField } from '../engine/catalogue';
import { at, numberAt, type Path } from '../engine/change';
import { coordinateOf } from '../engine/limits';
import type { AnyBehavior, AnyBody, AnyJoint } from '../engine/messages';
import { FLOOR } from '../engine/options';
import { unreachable } from '../exhaustive';

export interface Field {
  path: Path;
  label: string;
  unit: string;
  /** One line. */
  help?: string;
  /** What the engine would refuse, refused here already. */
  limit?: RangeInfo;
  whole?: boolean;
  /** What an entry that does not say it means: a number, or a word for "none". */
  absent?: number | string;
  /** Shown is the number times this. */
  scale?: number;
}

/** A field that is one of some words. */
export interface WordField {
  path: Path;
  label: string;
  help: string;
  choices: Choice[];
  /** What an entry that does not say it means. */
  absent: string;
}

/** Units that people read more easily, and how many of them one of the file's is. */
const SHOWN: Record<string, [string, number]> = {
  rad: ['°', 180 / Math.PI],
  'rad/s': ['°/s', 180 / Math.PI],
  'm/rad': ['m/turn', 2 * Math.PI],
};

/** The numbers of a field: one, one for each component, or those of what is inside. */
const numbersOf = (info: FieldInfo, entry: object, under: Path = []): Field[] => {
  if (info.role !== 'value') return [];
  const path = [...under, info.name];
  const value = at(entry, path);
  switch (info.form) {
    case 'number':
    case 'count':
    case 'numbers': {
      const [unit, scale] = SHOWN[info.unit] ?? [info.unit, 1];
      const { help, range: limit } = info;
      const label = fieldLabel(info);
      const whole = info.form === 'count';
      const beside = info.hint?.replace('#', unit) ?? unit;
      const field: Field = {
        path,
        label,
        unit: beside,
        help,
        limit: limit ?? (whole ? 'not-negative' : undefined),
        whole,
        scale,
      };
      if (Array.isArray(value))
        return value.map((_, k) => ({ ...field, path: [...path, k], label: `${label} ${info.parts[k] ?? k + 1}` }));
      const absent = info.default ?? info.otherwise;
      return value === undefined && absent === undefined ? [] : [{ ...field, absent }];
    }
    case 'fields': {
      const inside = (info.fields ?? []).flatMap((inner) => numbersOf(inner, entry, path));
      // One of several groups with the same fields, such as what is free of a shape: its name tells them apart.
      if (under.length === 0) return inside;
      const absent = value === undefined ? { absent: 'held' } : {};
      return inside.map((own) => ({ ...own, label: `${fieldLabel(info)} ${own.label}`, ...absent }));
    }
    case 'entry': {
      // What drives has a form of its own: a drive must not jump.
      const type =
        info.sort === 'function'
          ? null
          : typeOf(info.sort ?? '', (value as { type: string } | undefined)?.type ?? null);
      return (type?.fields ?? []).flatMap((inner) => numbersOf(inner, entry, path));
    }
    case 'word':
    case 'flag':
    case 'other':
      return [];
    default:
      return unreachable(info.form);
  }
};

/** The numbers of the fields that an entry has because of its type. */
const ownNumbers = (sort: string, entry: { type: string }): Field[] =>
  (typeOf(sort, entry.type)?.fields ?? []).flatMap((info) => numbersOf(info, entry));

/** Fields of the type, and of all types, that are one of some words. */
export const wordFields = (sort: SortName, { type }: { type: string }): WordField[] =>
  [...(typeOf(sort, type)?.fields ?? []), ...commonOf(sort)]
    .filter(({ words, role }) => words !== undefined && role === 'value')
    .map((info) => ({
      path: [info.name],
      label: fieldLabel(info),
      help: info.help,
      choices: choicesOf(info),
      absent: info.otherwise ?? '',
    }));

export const bodyFields = (entry: AnyBody): Field[] => ownNumbers('body', entry);

/** A field that is on or off. */
export interface Flag {
  path: Path;
  label: string;
  help: string;
}

/** How a body touches others: whether it does, and the numbers that belong to it. */
export const touchFields = (entry: AnyBody): { flags: Flag[]; numbers: Field[] } => {
  const infos = commonOf('body').filter(
    ({ name, after }) =>
      name === TOUCHES ||
      (entry[TOUCHES] === true && (after === TOUCHES || (after === GIVES && entry[GIVES] !== undefined))),
  );
  const flags = infos.filter(({ form }) => form === 'flag');
  return {
    flags: flags.map((info) => ({ path: [info.name], label: fieldLabel(info), help: info.help })),
    numbers: infos.flatMap((info) => numbersOf(info, entry)),
  };
};

/** What says whether a body touches others, and whether it gives way there: dampers belong to springs. */
const TOUCHES = 'collide' satisfies keyof BodyEntryFields;
const GIVES = 'contact_stiffness' satisfies keyof BodyEntryFields;

/** Fields of the type; the ends of a limit have the unit of what it limits. */
export const jointFields = (entry: AnyJoint): Field[] => {
  const led = coordinateOf(entry.type);
  const ends = ['lower', 'upper'] satisfies (keyof JointEntryFields)[];
  const isEnd = ({ name }: FieldInfo): boolean => led !== null && (ends as string[]).includes(name);
  return (typeOf('joint', entry.type)?.fields ?? []).flatMap((info) =>
    numbersOf(isEnd(info) ? { ...info, unit: led === 'angle' ? 'rad' : 'm' } : info, entry),
  );
};

/** What says how soft a joint is; what is soft by its law does without. */
export const SOFTNESS = 'compliance' satisfies keyof JointEntryFields;

/** What every joint has. */
export const holdFields = (entry: AnyJoint): Field[] => {
  const isSoft = typeOf('joint', entry.type)?.joint?.soft === true;
  const isAsked = ({ name, after }: FieldInfo): boolean => {
    if (isSoft && (name === SOFTNESS || after === SOFTNESS)) return name !== SOFTNESS;
    return after === undefined || numberAt(entry, [after]) !== null;
  };
  return commonOf('joint')
    .filter(isAsked)
    .flatMap((info) => numbersOf(info, entry));
};

export const behaviorFields = (entry: AnyBehavior): Field[] => ownNumbers('behavior', entry);

/** Fields of a function of an angle or of a length. */
export const functionFields = (law: FunctionEntry, driven: Driven): Field[] => {
  const unit = driven === 'angle' ? 'rad' : 'm';
  const led = (info: FieldInfo): FieldInfo => ({ ...info, unit: info.unit || unit, label: fieldLabel(info) || driven });
  return (typeOf('function', law.type)?.fields ?? []).flatMap((info) => numbersOf(led(info), law));
};

/** The numbers of a floor: its height first. Dampers belong to springs. */
export const floorFields = (of: WorldEntry): Field[] =>
  FLOOR.filter((name) => numberAt(of, [worldField(name)?.after ?? 'floor']) !== null)
    .flatMap((name) => worldFields(of, name))
    .map((field) => (field.path[0] === 'floor' ? { ...field, label: 'floor height' } : field));

/** The numbers of an option of the world. */
export const worldFields = (of: object, name: string): Field[] => {
  const info = worldField(name);
  return info === null ? [] : numbersOf(info, of);
};

/** Why a number would be refused, if it would. */
export const refusal = (value: number, { limit, whole }: Pick<Field, 'limit' | 'whole'>): string | null => {
  if (!Number.isFinite(value)) return 'a number is needed';
  if (whole === true && !Number.isInteger(value)) return 'a whole number is needed';
  if (limit === 'positive' && value <= 0) return 'must be above 0';
  if (limit === 'not-negative' && value < 0) return 'must not be below 0';
  return null;
};
