//! Polygons in triangles, by cutting off ears.

/// Twice the area within corners that go round counter-clockwise; less than zero if they go round clockwise.
pub(crate) fn twice_area(corners: &[[f64; 2]]) -> f64 {
    let next = |k: usize| corners[(k + 1) % corners.len()];
    let edges = corners.iter().enumerate();
    edges
        .map(|(k, a)| a[0] * next(k)[1] - next(k)[0] * a[1])
        .sum()
}

/// Triangles of a polygon that does not cross itself, counter-clockwise whichever way its corners go round.
pub(crate) fn triangles(corners: &[[f64; 2]]) -> Vec<[u32; 3]> {
    let mut left: Vec<u32> = (0..corners.len() as u32).collect();
    if twice_area(corners) < 0.0 {
        left.reverse();
    }
    let mut triangles = Vec::with_capacity(corners.len().saturating_sub(2));
    while left.len() > 3 {
        let n = left.len();
        let ear = |at: usize| [left[(at + n - 1) % n], left[at], left[(at + 1) % n]];
        let found = (0..n).find(|at| is_ear(corners, ear(*at), &left));
        // Corners on one line leave no ear: the flattest goes.
        let at = found.unwrap_or(0);
        triangles.push(ear(at));
        left.remove(at);
    }
    if let &[a, b, c] = &left[..] {
        triangles.push([a, b, c]);
    }
    triangles
}

/// Whether a corner is convex, and no other corner lies in its triangle.
fn is_ear(corners: &[[f64; 2]], ear: [u32; 3], left: &[u32]) -> bool {
    let [a, b, c] = ear.map(|at| corners[at as usize]);
    if side(a, b, c) <= 0.0 {
        return false;
    }
    let mut others = left.iter().filter(|at| !ear.contains(at));
    !others.any(|at| {
        let p = corners[*at as usize];
        side(a, b, p) >= 0.0 && side(b, c, p) >= 0.0 && side(c, a, p) >= 0.0
    })
}

/// Twice the area of a triangle: more than zero if p is to the left of the way from a to b.
fn side(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Triangles are counter-clockwise and sum up to the area, of stars and combs that go round either way.
    #[test]
    fn triangles_fill_the_polygon() {
        let star = (0..20).map(|k| {
            let (far, t) = ([1.0, 0.35][k % 2], std::f64::consts::TAU * k as f64 / 20.0);
            [far * t.cos(), far * t.sin()]
        });
        let comb = (0..12).map(|k| [f64::from(k), if k % 2 == 0 { 0.0 } else { 3.0 }]);
        let comb = comb.chain([[11.0, -1.0], [0.0, -1.0]]);
        let polygons: [Vec<[f64; 2]>; 2] = [star.collect(), comb.collect()];
        for corners in polygons {
            let backward: Vec<[f64; 2]> = corners.iter().rev().copied().collect();
            for corners in [corners, backward] {
                let found = triangles(&corners);
                assert_eq!(found.len(), corners.len() - 2);
                let areas = found.iter().map(|own| {
                    let [a, b, c] = own.map(|at| corners[at as usize]);
                    side(a, b, c)
                });
                let areas: Vec<f64> = areas.collect();
                assert!(areas.iter().all(|own| *own > 0.0), "{areas:?}");
                let wanted = twice_area(&corners).abs();
                let sum: f64 = areas.iter().sum();
                assert!((sum - wanted).abs() < 1e-12 * wanted, "{sum} {wanted}");
            }
        }
    }
}
