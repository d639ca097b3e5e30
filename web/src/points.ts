// Points that pull bodies, as the engine sends them with a frame: eight numbers each, the joint by its place in the
// look, the point, the place of the body that it belongs to, and how far it is off, m. What is not there is not a
// number.

/** Numbers of a point. */
export const OF_POINT = 8;

/** Where in them the point is, its place, and how far it is off. */
export const [AT, PLACE, OFF] = [1, 4, 7];

/** How well bodies and points fit. */
export interface Fitting {
  /** The root of the mean square of how far points are off, m. */
  rms: number;
  /** How many points belong to a body, and how many to none. */
  points: number;
  strays: number;
}

/** How far each point is off that belongs to something; of one joint, or of all. */
export const offsOf = (points: Float64Array, joint: number | null = null): number[] => {
  const offs: number[] = [];
  for (let k = 0; k + OF_POINT <= points.length; k += OF_POINT) {
    const off = points[k + OFF] ?? Number.NaN;
    if (Number.isFinite(off) && (joint === null || points[k] === joint)) offs.push(off);
  }
  return offs;
};

export const fittingOf = (points: Float64Array, joint: number | null = null): Fitting => {
  const offs = offsOf(points, joint);
  const all =
    joint === null ? points.length / OF_POINT : points.filter((own, k) => k % OF_POINT === 0 && own === joint).length;
  const squares = offs.reduce((sum, own) => sum + own * own, 0);
  return { rms: Math.sqrt(squares / Math.max(offs.length, 1)), points: offs.length, strays: all - offs.length };
};
