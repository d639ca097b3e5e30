//! A run allocates nothing, whatever its size.

#![allow(clippy::unwrap_used)]

use linkwork_formula::{Hessian, JetMut, Kind, Motion, Named, Scope, Tape};

#[test]
fn runs_allocate_nothing() {
    for n_terms in [1, 5, 25, 100] {
        let text = format!("sum(k, 1, {n_terms}, x*sin(k*y + 0.1) + norm([x, k, y]))");
        let mut names = vec![
            ("x", Named::Input(Kind::Scalar, 0)),
            ("y", Named::Input(Kind::Scalar, 1)),
        ];
        let mut scope = Scope::new(&mut names);
        let value = scope.expression(&text).unwrap();
        let tape = Tape::new(scope.graph(), value.parts(), 2).unwrap();
        let hessian = Hessian::new(scope.graph(), value.parts()[0], 2);
        let (mut y, mut y1, mut y2, mut rows) = ([0.0], [0.0], [0.0], [0.0; 2]);
        let count = allocation_counter::measure(|| {
            let motion = Motion {
                x: &[0.3, 0.4],
                x1: &[1.0, 2.0],
                x2: &[],
            };
            tape.value(motion.x, &mut y);
            let out = JetMut {
                y: &mut y,
                y1: &mut y1,
                y2: &mut y2,
                rows: &mut rows,
            };
            tape.jet(motion, out);
            assert!(tape.blame(motion.x).is_none());
            if let Ok(hessian) = &hessian {
                hessian.eval(motion.x, &mut [0.0; 3], &mut [0.0; 6]);
            }
        });
        assert_eq!(count.count_total, 0, "{} steps", tape.n_steps());
        assert!(tape.n_steps() >= 5 * n_terms);
    }
}
