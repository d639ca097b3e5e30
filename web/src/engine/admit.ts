// What is let in: texts that are none, and scenes too large for a page, are refused before they are tried.

/** More bodies than this are drawn too slowly to be held. */
export const MOST_BODIES = 20_000;
/** Bodies, joints and all else that has a name: a scene of `MOST_BODIES` has fewer. */
const MOST_ENTRIES = 5 * MOST_BODIES;
/** Longer files are not read. */
export const MOST_BYTES = 64 * 2 ** 20;

const ELSEWHERE = 'The command line has no such limit: linkwork run.';

const count = (n: number): string => n.toLocaleString('en');

export const refuseBytes = (bytes: number, name: string): void => {
  if (bytes <= MOST_BYTES) return;
  const [own, most] = [bytes, MOST_BYTES].map((size) => count(Math.round(size / 2 ** 20)));
  throw new Error(`${name} has ${own} MB; the lab reads up to ${most} MB. ${ELSEWHERE}`);
};

export const refuseBodies = (bodies: number): void => {
  if (bodies <= MOST_BODIES) return;
  throw new Error(`The scene has ${count(bodies)} bodies; the lab shows up to ${count(MOST_BODIES)}. ${ELSEWHERE}`);
};

/** What is wrong with a file, by its name. */
export const inFile = (name: string, error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.startsWith(name) ? text : `${name}: ${text}`;
};

/** The text of a scene's file. */
export const textOf = (bytes: ArrayBuffer, name: string): string => {
  refuseBytes(bytes.byteLength, name);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${name} is not text. A scene is a JSON text.`);
  }
  if (text.trim() === '') throw new Error(`${name} is empty. A scene begins with { "linkwork": 1`);
  // What has no bracket would be taken for the name of a scene of the library.
  if (!text.includes('{')) throw new Error(`${name} is not a scene. A scene is a JSON object: { "linkwork": 1, … }`);
  return text;
};

/** Refuses what is seen to be too large without building it. */
export const refuseTooLarge = (nameOrText: string): void => {
  if (!nameOrText.includes('{')) {
    // chain:100, grid:30,40: about as many bodies as the product; sheet:30 has 30 by 30 meshes.
    const [name, parameters = ''] = nameOrText.split(':');
    const numbers = parameters
      .split(',')
      .map(Number)
      .filter((own) => own > 1);
    const product = numbers.reduce((all, own) => all * own, 1);
    refuseBodies(name === 'sheet' ? product * product : product);
    return;
  }
  let entries = 0;
  for (let at = nameOrText.indexOf('"name"'); at >= 0; at = nameOrText.indexOf('"name"', at + 6)) entries += 1;
  if (entries <= MOST_ENTRIES) return;
  throw new Error(
    `The scene has ${count(entries)} named entries; the lab opens up to ${count(MOST_ENTRIES)}, and ${count(MOST_BODIES)} bodies. ${ELSEWHERE}`,
  );
};
