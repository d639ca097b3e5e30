// How large bodies are: the lengths along their axes, and the fields that say them.

import type { BodyEntryFields, TypeInfo } from '../engine/border';
import type { AnyBody, Vec3 } from '../engine/messages';
import { unreachable } from '../exhaustive';

const measured = ({ fields }: TypeInfo) =>
  fields.flatMap(({ name, measure }) => (measure === undefined ? [] : [{ name, measure }]));

/** Whether its fields say how large it is. */
export const isSized = (type: TypeInfo): boolean => measured(type).length > 0;

/** The fields of a body that is so long along its axes, m. */
export const sizeFields = (type: TypeInfo, size: Vec3): Partial<BodyEntryFields> => {
  const all = measured(type);
  const isLong = all.some(({ measure }) => measure === 'along');
  const [x, y] = size;
  return Object.fromEntries(
    all.map(({ name, measure }) => {
      switch (measure) {
        case 'along':
          return [name, x];
        case 'radius':
          return [name, 0.5 * (isLong ? y : Math.max(x, y))];
        case 'halves':
          return [name, size.map((own) => 0.5 * own)];
        case 'edges':
          return [name, type.body?.planar === true ? [x, y] : size];
        default:
          return unreachable(measure);
      }
    }),
  );
};

/** Its lengths along x and across, m. What has only a length is slim. */
export const extentOf = (type: TypeInfo, entry: AnyBody): [number, number] => {
  let [along, across]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const { name, measure } of measured(type)) {
    const value: unknown = entry[name as keyof BodyEntryFields];
    if (Array.isArray(value)) {
      const times = measure === 'halves' ? 2 : 1;
      [along, across = along] = value.map((own: number) => times * own);
    } else if (typeof value !== 'number') continue;
    else if (measure === 'along') along = value;
    else across = 2 * value;
  }
  along ??= across ?? 0.1;
  return [along, across ?? 0.1 * along];
};
