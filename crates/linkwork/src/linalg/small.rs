//! Small dense kernels: factors of one block, products of two. Row-major, no allocation.
//!
//! The common sizes are compiled for their size; the rest run the same loops.

/// How a pivot block was inverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pivot {
    /// Every scalar pivot stands clear of round-off.
    Regular,
    /// A scalar pivot is lost in round-off: the rows repeat others.
    Lost,
}

/// `out ← sign·(sign·a)⁻¹` for `sign·a` symmetric positive definite, `n × n`.
///
/// `reference` holds each row's diagonal before anything was subtracted from it. A pivot below
/// `floor × reference` is raised to that; the result then says `Lost`.
#[inline(always)]
pub(crate) fn invert_block(
    n: usize,
    sign: f64,
    a: &[f64],
    reference: &[f64],
    floor: f64,
    out: &mut [f64],
) -> Pivot {
    match n {
        1 => invert_n::<1>(sign, a, reference, floor, out),
        2 => invert_n::<2>(sign, a, reference, floor, out),
        3 => invert_3(sign, a, reference, floor, out),
        4 => invert_n::<4>(sign, a, reference, floor, out),
        5 => invert_n::<5>(sign, a, reference, floor, out),
        6 => invert_n::<6>(sign, a, reference, floor, out),
        _ => invert_any(n, sign, a, reference, floor, out),
    }
}

/// The adjugate, with one division: its minors are products of the pivots, so they tell what is
/// lost. A block with a lost pivot goes the longer way.
#[inline(always)]
fn invert_3(sign: f64, a: &[f64], reference: &[f64], floor: f64, out: &mut [f64]) -> Pivot {
    let (a, reference, out) = (&a[..9], &reference[..3], &mut out[..9]);
    let (xx, yy, zz) = (sign * a[0], sign * a[4], sign * a[8]);
    let (xy, xz, yz) = (sign * a[3], sign * a[6], sign * a[7]);
    let c00 = yy * zz - yz * yz;
    let c01 = xz * yz - xy * zz;
    let c02 = xy * yz - xz * yy;
    let minor = xx * yy - xy * xy;
    let det = xx * c00 + xy * c01 + xz * c02;
    let regular = xx > floor * reference[0].abs()
        && minor > floor * reference[1].abs() * xx
        && det > floor * reference[2].abs() * minor;
    if !regular {
        return invert_n::<3>(sign, a, reference, floor, out);
    }
    let inv = sign / det;
    let (b01, b02, b12) = (c01 * inv, c02 * inv, (xy * xz - xx * yz) * inv);
    out[0] = c00 * inv;
    out[1] = b01;
    out[2] = b02;
    out[3] = b01;
    out[4] = (xx * zz - xz * xz) * inv;
    out[5] = b12;
    out[6] = b02;
    out[7] = b12;
    out[8] = minor * inv;
    Pivot::Regular
}

/// LDLᵀ, then `(L⁻¹)ᵀ·D⁻¹·L⁻¹`, all on the stack.
#[inline(always)]
fn invert_n<const N: usize>(
    sign: f64,
    a: &[f64],
    reference: &[f64],
    floor: f64,
    out: &mut [f64],
) -> Pivot {
    let mut l = [[0.0; N]; N]; // unit lower, then its inverse
    let mut inv_d = [0.0; N];
    let mut pivot = Pivot::Regular;
    for j in 0..N {
        // w[k] = l[j][k]·d[k], kept in the row until it is scaled.
        let mut d = sign * a[j * N + j];
        for k in 0..j {
            let w = l[j][k];
            l[j][k] = w * inv_d[k];
            d -= w * l[j][k];
        }
        let least = floor * reference[j].abs();
        if d.is_nan() || d <= least {
            d = least.max(f64::MIN_POSITIVE);
            pivot = Pivot::Lost;
        }
        inv_d[j] = 1.0 / d;
        for i in j + 1..N {
            let mut w = sign * a[i * N + j];
            for k in 0..j {
                w -= l[i][k] * l[j][k];
            }
            l[i][j] = w;
        }
    }
    // Rows still hold w = l·d below the diagonal only where they were scaled above: invert L.
    let mut inv = [[0.0; N]; N];
    for j in 0..N {
        inv[j][j] = 1.0;
        for i in j + 1..N {
            let mut s = -l[i][j];
            for k in j + 1..i {
                s -= l[i][k] * inv[k][j];
            }
            inv[i][j] = s;
        }
    }
    for i in 0..N {
        for j in 0..=i {
            let mut s = 0.0;
            for k in i..N {
                s += inv[k][i] * inv_d[k] * inv[k][j];
            }
            out[i * N + j] = sign * s;
            out[j * N + i] = sign * s;
        }
    }
    pivot
}

/// The same for any size, in `out` itself: Gauss–Jordan on the symmetric matrix.
fn invert_any(
    n: usize,
    sign: f64,
    a: &[f64],
    reference: &[f64],
    floor: f64,
    out: &mut [f64],
) -> Pivot {
    let mut pivot = Pivot::Regular;
    for (out, a) in out[..n * n].iter_mut().zip(a) {
        *out = sign * a;
    }
    for j in 0..n {
        let mut d = out[j * n + j];
        let least = floor * reference[j].abs();
        if d.is_nan() || d <= least {
            d = least.max(f64::MIN_POSITIVE);
            pivot = Pivot::Lost;
        }
        let inv_d = 1.0 / d;
        // Sweep: a_jj ← −1/d, a_ij ← a_ij/d, a_ik ← a_ik − a_ij·a_jk/d.
        for i in 0..n {
            if i == j {
                continue;
            }
            let factor = out[i * n + j] * inv_d;
            for k in 0..n {
                if k != j {
                    out[i * n + k] -= factor * out[j * n + k];
                }
            }
        }
        for i in 0..n {
            if i != j {
                out[i * n + j] *= inv_d;
                out[j * n + i] *= inv_d;
            }
        }
        out[j * n + j] = -inv_d;
    }
    for out in &mut out[..n * n] {
        *out *= -sign;
    }
    pivot
}

/// `c ← a·b` with `a` of `n × n`, `b` of `n × m`.
#[inline]
pub(crate) fn multiply(n: usize, m: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for (a, c) in a.chunks_exact(n).zip(c.chunks_exact_mut(m)) {
        c.fill(0.0);
        for (a, b) in a.iter().zip(b.chunks_exact(m)) {
            c.iter_mut().zip(b).for_each(|(c, b)| *c += a * b);
        }
    }
}

/// `c ← c − aᵀ·b` with `a` of `n × k`, `b` of `n × m`.
#[inline]
pub(crate) fn subtract_transposed_product(k: usize, m: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    match (k, m) {
        (5, 5) => subtract_transposed_any(5, 5, a, b, &mut c[..25]),
        _ => subtract_transposed_any(k, m, a, b, c),
    }
}

/// The loops of a size that is known are unrolled.
#[inline(always)]
fn subtract_transposed_any(k: usize, m: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for (a, b) in a.chunks_exact(k).zip(b.chunks_exact(m)) {
        for (a, c) in a.iter().zip(c.chunks_exact_mut(m)) {
            c.iter_mut().zip(b).for_each(|(c, b)| *c -= a * b);
        }
    }
}

/// Cholesky in place: the lower triangle becomes `L`. A pivot that is not positive is replaced by a
/// tiny one (a body's mass matrix is checked where it is made).
pub(crate) fn cholesky(n: usize, a: &mut [f64]) {
    for j in 0..n {
        for k in 0..j {
            let factor = a[j * n + k];
            for i in j..n {
                a[i * n + j] -= a[i * n + k] * factor;
            }
        }
        let d = a[j * n + j];
        let inv = 1.0 / d.max(f64::MIN_POSITIVE).sqrt();
        for i in j..n {
            a[i * n + j] *= inv;
        }
    }
}

/// `x ← (L·Lᵀ)⁻¹·x`.
pub(crate) fn cholesky_solve(n: usize, l: &[f64], x: &mut [f64]) {
    for i in 0..n {
        let mut s = x[i];
        for k in 0..i {
            s -= l[i * n + k] * x[k];
        }
        x[i] = s / l[i * n + i];
    }
    for i in (0..n).rev() {
        let mut s = x[i];
        for k in i + 1..n {
            s -= l[k * n + i] * x[k];
        }
        x[i] = s / l[i * n + i];
    }
}
