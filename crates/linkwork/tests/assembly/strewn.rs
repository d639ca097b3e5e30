use super::*;

#[test]
fn experiment() {
    for name in ["chain:10","chain:50","chain-hinge:10","chain-hinge:50","tree:30","ladder:6,1","ladder3:6,1","hub:10","grid:4,4","four-bar","bricard","bennett","sarrus","andrews","andrews-3d","catenary:10","n-four-bar:4","peaucellier","scissor:4","umbrella:8","stewart","plate-on-strings"] {
        for (distance, angle) in [(0.1, 0.1),(0.5, 0.5), (3.0, 3.0)] {
            let (mut ok, mut its, mut most, mut rs, mut ls, mut t) = (0, 0, 0, 0, 0, std::time::Duration::ZERO);
            for seed in 0..10 {
                let mut world = scene(name);
                strew(&mut world, &mut Random::new(seed), distance, angle);
                let now = std::time::Instant::now();
                let report = assemble(&mut world);
                t += now.elapsed();
                ok += usize::from(report.outcome == AssemblyOutcome::Assembled);
                ls += usize::from(report.outcome == AssemblyOutcome::LeastSquares);
                its += report.iterations;
                most = most.max(report.iterations);
                rs += report.restarts;
                if report.rate_error > 1e-9 { println!("rate {:e}", report.rate_error); }
            }
            println!("{name:16} {distance} ok {ok} ls {ls} its {its} most {most} restarts {rs} {t:?}");
        }
    }
}
