use super::*;

#[test]
fn experiment() {
    for name in ["chain:50","chain:100","chain-hinge:20","chain-hinge:50","andrews","bricard","stewart"] {
        for (distance, angle) in [(3.0, 3.0), (50.0, 3.0)] {
            let (mut ok, mut its, mut most, mut rs, mut ls, mut t) = (0, 0, 0, 0, 0, std::time::Duration::ZERO);
            let n = if name.ends_with("00") {10} else {20};
            for seed in 0..n {
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
            println!("{name:16} {distance} ok {ok}/{n} ls {ls} its {} most {most} restarts {rs} {:?}", its/n as usize, t/n as u32);
        }
    }
}
