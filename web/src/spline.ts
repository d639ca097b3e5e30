// Cubic B-splines on even knots, clamped at the ends of an open curve and periodic on a closed one, as the engine has
// them; and the one with the fewest control points that stays near a stroke of the hand.

export type Point = readonly number[];

const DEGREE = 3;

/** Which control points count at u, from 0 to 1, and how much. */
export const weightsAt = (n: number, closed: boolean, u: number): [number, number][] => {
  const spans = closed ? n : n - DEGREE;
  const span = Math.min(Math.max(Math.floor(u * spans), 0), spans - 1);
  // Knots in units of a span.
  const knot = (k: number): number => (closed ? k - DEGREE : Math.min(Math.max(k - DEGREE, 0), spans));
  const at = u * spans;
  const basis = [1];
  for (let degree = 1; degree <= DEGREE; degree += 1) {
    const last = basis.slice();
    basis.push(0);
    for (let k = 0; k <= degree; k += 1) {
      // The basis function of this degree that ends at knot span + k + 1 (Cox and de Boor).
      const left = span + DEGREE - degree + k;
      const rising = knot(left + degree) - knot(left);
      const falling = knot(left + degree + 1) - knot(left + 1);
      const up = k > 0 && rising > 0 ? ((at - knot(left)) / rising) * (last[k - 1] ?? 0) : 0;
      const down = k < degree && falling > 0 ? ((knot(left + degree + 1) - at) / falling) * (last[k] ?? 0) : 0;
      basis[k] = up + down;
    }
  }
  return basis.map((weight, k) => [(span + k) % n, weight]);
};

/** A point of a spline. */
export const pointAt = (controls: readonly Point[], closed: boolean, u: number): number[] => {
  const out = (controls[0] ?? []).map(() => 0);
  for (const [control, weight] of weightsAt(controls.length, closed, u))
    out.forEach((own, axis) => {
      out[axis] = own + weight * (controls[control]?.[axis] ?? 0);
    });
  return out;
};

/** Points of a spline, evenly in u. */
export const pointsOf = (controls: readonly Point[], closed: boolean, count: number): number[][] =>
  Array.from({ length: count }, (_, k) => pointAt(controls, closed, k / (count - 1)));

const away = (a: Point, b: Point): number => Math.hypot(...a.map((own, axis) => own - (b[axis] ?? 0)));

/** Solves A·x = b for several right sides, A symmetric and positive definite, by elimination. */
const solve = (a: number[][], b: number[][]): number[][] => {
  const n = a.length;
  const at = (rows: number[][], row: number): number[] => rows[row] ?? [];
  for (let k = 0; k < n; k += 1)
    for (let row = k + 1; row < n; row += 1) {
      const factor = (at(a, row)[k] ?? 0) / (at(a, k)[k] ?? 1);
      if (factor === 0) continue;
      for (let column = k; column < n; column += 1)
        at(a, row)[column] = (at(a, row)[column] ?? 0) - factor * (at(a, k)[column] ?? 0);
      at(b, k).forEach((own, axis) => {
        at(b, row)[axis] = (at(b, row)[axis] ?? 0) - factor * own;
      });
    }
  for (let k = n - 1; k >= 0; k -= 1)
    at(b, k).forEach((own, axis) => {
      let sum = own;
      for (let column = k + 1; column < n; column += 1) sum -= (at(a, k)[column] ?? 0) * (at(b, column)[axis] ?? 0);
      at(b, k)[axis] = sum / (at(a, k)[k] ?? 1);
    });
  return b;
};

/** Keeps control points of a stroke that leaves some undetermined where they are. */
const CALM: number = 1e-9;

/** The control points that are nearest to points at these u, in the mean of squares. */
const controlsFor = (points: readonly Point[], at: readonly number[], n: number, closed: boolean): number[][] => {
  const a = Array.from({ length: n }, (_, row) => Array.from({ length: n }, (_, k) => (row === k ? CALM : 0)));
  const b = Array.from({ length: n }, () => (points[0] ?? []).map(() => 0));
  points.forEach((point, k) => {
    const weights = weightsAt(n, closed, at[k] ?? 0);
    for (const [row, weight] of weights) {
      for (const [column, other] of weights) {
        const own = a[row] ?? [];
        own[column] = (own[column] ?? 0) + weight * other;
      }
      point.forEach((own, axis) => {
        const right = b[row] ?? [];
        right[axis] = (right[axis] ?? 0) + weight * own;
      });
    }
  });
  return solve(a, b);
};

/** The u of a spline nearest to each point, near where they were. */
const nearest = (
  controls: readonly Point[],
  closed: boolean,
  points: readonly Point[],
  at: readonly number[],
): number[] => {
  const step = 0.25 / controls.length;
  return points.map((point, k) => {
    const u = at[k] ?? 0;
    // The ends of an open stroke are the ends of the curve.
    if (!closed && (k === 0 || k === points.length - 1)) return u;
    let [low, high] = [Math.max(u - step, 0), Math.min(u + step, 1)];
    for (let round = 0; round < 20; round += 1) {
      const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
      if (away(pointAt(controls, closed, a), point) < away(pointAt(controls, closed, b), point)) high = b;
      else low = a;
    }
    return (low + high) / 2;
  });
};

/** A stroke as a curve. */
export interface Fitted {
  points: number[][];
  closed: boolean;
  /** How far the stroke is from it at the most, m. */
  error: number;
}

const FEWEST = { open: 4, closed: 5 };
const MOST = 24;
/** Rounds of finding points for places and places for points. */
const ROUNDS = 3;

/**
 * The spline with the fewest control points that a stroke, evenly sampled, is nowhere further from than `within`; of at
 * most 24.
 */
export const fitStroke = (stroke: readonly Point[], closed: boolean, within: number): Fitted => {
  const even = stroke.map((_, k) => k / Math.max(closed ? stroke.length : stroke.length - 1, 1));
  for (let n = closed ? FEWEST.closed : FEWEST.open; ; n += 1) {
    let at: readonly number[] = even;
    let points = controlsFor(stroke, at, n, closed);
    for (let round = 0; round < ROUNDS; round += 1) {
      at = nearest(points, closed, stroke, at);
      points = controlsFor(stroke, at, n, closed);
    }
    const offs = stroke.map((point, k) => away(pointAt(points, closed, at[k] ?? 0), point));
    const error = Math.max(...offs);
    if (error <= within || n >= MOST) return { points, closed, error };
  }
};
