//! Torque-free rotation in closed form: Jacobi's solution of Euler's equations.
//!
//! ```text
//!     I·ω̇ = (I·ω) × ω        ω_a = A_a·cn τ      ω_b = A_b·sn τ      ω_c = A_c·dn τ      τ = τ₀ + p·t
//!     ψ̇ = L·(m_b²/I_b + m_c²/I_c)/(m_b² + m_c²)        m = I·ω, L = |m|
//! ```
//!
//! with b the axis of the middle moment, c the one that the momentum circles and a the third (Landau and
//! Lifshitz, *Mechanics*, §37). The angular momentum is constant in the world; the axis a rotates about it by
//! ψ, at the height `m_a/L`. Energy and momentum are conserved to round-off at any spin.

use crate::body::tolerances::{MOST_PARTS_OF_TURN, PART};
use crate::math::{
    Elliptic, Mat3, Vec3, cross, mat_mul, mat_vec, norm, quat_exp, quat_to_matrix, scale, sub,
    transpose,
};

/// Nodes and weights of Gauss and Legendre on −1..1, eight points, one side.
const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_27),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_2, 0.101_228_536_290_376_26),
];

/// Turns a body for `t` seconds. `rotation` is from principal to world components, `m` the angular
/// momentum in principal components; `order` has the axes of the smallest, middle and largest moment.
pub(super) fn turn_freely(
    moments: Vec3,
    order: [usize; 3],
    rotation: &mut Mat3,
    m: &mut Vec3,
    t: f64,
) {
    let length = norm(*m);
    if length == 0.0 {
        return;
    }
    let spin = Spin::new(moments, order, *m);
    let from = triad(*m, length, spin.a);
    let (turned, psi) = spin.after(*m, length, t);
    *m = turned;
    let to = triad(*m, length, spin.a);
    let around = quat_to_matrix(quat_exp(scale(psi, mat_vec(rotation, from[0]))));
    // Rows of a triad are in principal components: R′ = exp(ψ·n)·R·Fᵀ·F′.
    *rotation = mat_mul(
        &mat_mul(&around, rotation),
        &mat_mul(&transpose(&from), &to),
    );
}

/// The momentum's direction, the axis a across it, and what is across both.
fn triad(m: Vec3, length: f64, a: usize) -> Mat3 {
    let along = scale(1.0 / length, m);
    let mut axis = [0.0; 3];
    axis[a] = 1.0;
    let across = sub(axis, scale(along[a], along));
    let across = scale(1.0 / norm(across), across);
    [along, across, cross(along, across)]
}

/// Jacobi's solution for one energy and one momentum.
struct Spin {
    a: usize,
    b: usize,
    c: usize,
    moments: Vec3,
    /// `A`, by axis; that of c with the sign of ω_c.
    amplitude: Vec3,
    /// `p`, with its sign.
    rate: f64,
    k_squared: f64,
    elliptic: Elliptic,
}

impl Spin {
    fn new(moments: Vec3, [low, b, high]: [usize; 3], m: Vec3) -> Self {
        // L² − 2T·I_b decides which axis the momentum circles.
        let excess = |axis: usize| m[axis] * m[axis] * (1.0 - moments[b] / moments[axis]);
        let (a, c) = if excess(low) + excess(high) >= 0.0 {
            (low, high)
        } else {
            (high, low)
        };
        let [i_a, i_b, i_c] = [a, b, c].map(|axis| moments[axis]);
        // 2T·I_c − L² and L² − 2T·I_a, sums of terms of one sign.
        let above = m[a] * m[a] * (i_c - i_a) / i_a + m[b] * m[b] * (i_c - i_b) / i_b;
        let below = m[b] * m[b] * (i_b - i_a) / i_b + m[c] * m[c] * (i_c - i_a) / i_c;
        let k_squared = ((i_b - i_a) * above / ((i_c - i_b) * below)).clamp(0.0, 1.0);
        let mut amplitude = [0.0; 3];
        amplitude[a] = (above / (i_a * (i_c - i_a))).sqrt();
        amplitude[b] = (above / (i_b * (i_c - i_b))).sqrt();
        amplitude[c] = (below / (i_c * (i_c - i_a))).sqrt().copysign(m[c]);
        // (a, b, c) is right-handed, or not.
        let hand = if (a + 1) % 3 == b { 1.0 } else { -1.0 };
        // From I_b·ω̇_b = hand·(I_c − I_a)·ω_c·ω_a, where A_a/A_b does not need the amplitudes.
        let ratio = ((i_b * (i_c - i_b)) / (i_a * (i_c - i_a))).sqrt();
        let rate = hand * (i_c - i_a) / i_b * ratio * amplitude[c];
        Self {
            a,
            b,
            c,
            moments,
            amplitude,
            rate,
            k_squared,
            elliptic: Elliptic::new(1.0 - k_squared),
        }
    }

    /// The momentum after `t` seconds, and by how much the axis a went around it.
    fn after(&self, m: Vec3, length: f64, t: f64) -> (Vec3, f64) {
        let Self {
            a, b, amplitude, ..
        } = *self;
        let omega = |axis: usize| m[axis] / self.moments[axis];
        let start = if amplitude[a] > 0.0 {
            let phi = libm::atan2(omega(b) / amplitude[b], omega(a) / amplitude[a]);
            self.elliptic.first_kind(phi)
        } else {
            0.0
        };
        let end = start + self.rate * t;
        let period = 2.0 * self.elliptic.quarter_period();
        let periods = libm::trunc((end - start) / period);
        let rest = start + periods * period;
        let mut angle = self.angle(length, rest, end);
        if periods != 0.0 {
            angle += periods * self.angle(length, start, start + period);
        }
        let psi = if self.rate == 0.0 {
            length / self.moments[self.c] * t
        } else {
            angle / self.rate
        };
        let turned = self.momentum(end);
        (scale(length / norm(turned), turned), psi)
    }

    /// `m` at τ.
    fn momentum(&self, tau: f64) -> Vec3 {
        let phi = self.elliptic.amplitude(tau);
        let (sn, cn) = (libm::sin(phi), libm::cos(phi));
        let dn = (1.0 - self.k_squared * sn * sn).max(0.0).sqrt();
        let mut m = [0.0; 3];
        for (axis, function) in [(self.a, cn), (self.b, sn), (self.c, dn)] {
            m[axis] = self.moments[axis] * self.amplitude[axis] * function;
        }
        m
    }

    /// `∫ψ̇ dτ`.
    fn angle(&self, length: f64, from: f64, to: f64) -> f64 {
        let n = ((to - from).abs() / PART)
            .ceil()
            .clamp(1.0, MOST_PARTS_OF_TURN);
        let half = 0.5 * (to - from) / n;
        let mut sum = 0.0;
        for part in 0..n as usize {
            let middle = from + half * (2 * part + 1) as f64;
            for (node, weight) in GAUSS {
                sum += weight
                    * (self.precession(length, middle - half * node)
                        + self.precession(length, middle + half * node));
            }
        }
        sum * half
    }

    /// `ψ̇` at τ.
    fn precession(&self, length: f64, tau: f64) -> f64 {
        let m = self.momentum(tau);
        let (b, c) = (m[self.b] * m[self.b], m[self.c] * m[self.c]);
        length * (b / self.moments[self.b] + c / self.moments[self.c]) / (b + c)
    }
}
