//! Time per point of every law, alone and in batches.

#![allow(clippy::expect_used, reason = "a bench says what fails by panicking")]

fn main() {
    divan::main();
}

/// One point at a time, the law's type known, states and conditions in the first cache.
mod single {
    use bristle_laws::friction::{LawVisitor, typical};
    use bristle_laws::{Friction, FrictionLaw, MAX_STATES, Slip, Step};
    use divan::Bencher;
    use divan::counter::ItemsCount;

    const POINTS: usize = 256;

    #[derive(Clone, Copy)]
    enum What {
        Rates,
        Update,
        Tangent,
    }

    struct Run<'a, 'b> {
        bencher: Bencher<'a, 'b>,
        what: What,
    }

    impl LawVisitor for Run<'_, '_> {
        type Output = ();

        fn visit<L: FrictionLaw>(self, law: &L) {
            let n = law.layout().len(3);
            let vs = law.slip_speed();
            let slips: Vec<Slip<f64, 3>> = (0..POINTS)
                .map(|k| {
                    let t = k as f64;
                    let v = 3.0 * vs * (0.37 * t).sin();
                    let direction = [(0.2 * t).cos(), (0.2 * t).sin(), 0.3 * (0.5 * t).sin()];
                    Slip::new(direction.map(|e| e * v), 5.0 + 4.0 * (0.11 * t).sin())
                })
                .collect();
            let mut old = [0.0; MAX_STATES];
            law.start(&slips[0], &mut old[..n]);
            let mut new = old;
            for slip in &slips {
                law.update(&Step::constant(*slip, 1e-3), &old[..n], &mut new[..n]);
                old = new;
            }
            let step = |k: usize| Step {
                mean: slips[k],
                end: slips[(k + 1) % POINTS],
                duration: 1e-3,
            };
            let bencher = self.bencher.counter(ItemsCount::new(POINTS));
            bencher.bench_local(|| {
                let mut sum = 0.0;
                for (k, slip) in slips.iter().enumerate() {
                    let (old, new) = (&old[..n], &mut new[..n]);
                    let force = match self.what {
                        What::Rates => law.rates(slip, old, new),
                        What::Update => law.update(&step(k), old, new),
                        What::Tangent => {
                            let (force, tangent) = law.update_with_tangent(&step(k), old, new);
                            divan::black_box(&tangent);
                            force
                        }
                    };
                    divan::black_box(&*new);
                    sum += force[0] + force[1] + force[2];
                }
                sum
            });
        }
    }

    fn names() -> impl Iterator<Item = &'static str> {
        Friction::CARDS.iter().map(|card| card.name)
    }

    fn run(bencher: Bencher, name: &str, what: What) {
        let card = Friction::card_of(name).expect("in the catalogue");
        let law = Friction::build(name, &typical(card)).expect("typical parameters");
        law.visit(Run { bencher, what });
    }

    #[divan::bench(args = names())]
    fn rates_3d(bencher: Bencher, name: &str) {
        run(bencher, name, What::Rates);
    }

    #[divan::bench(args = names())]
    fn update_3d(bencher: Bencher, name: &str) {
        run(bencher, name, What::Update);
    }

    #[divan::bench(args = names())]
    fn update_with_tangent_3d(bencher: Bencher, name: &str) {
        run(bencher, name, What::Tangent);
    }
}

/// Many points in columns.
mod batch {
    use bristle_laws::Friction;
    use bristle_laws::friction::typical;
    use bristle_laws::pool::{Points, Steps, rates_batch, update_batch};
    use divan::Bencher;
    use divan::counter::ItemsCount;

    const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

    fn lugre() -> Friction {
        let card = Friction::card_of("lugre").expect("in the catalogue");
        Friction::build("lugre", &typical(card)).expect("typical parameters")
    }

    /// A column of numbers spread evenly over ±`width`, in no order.
    fn column(n: usize, seed: u64, width: f64) -> Vec<f64> {
        let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (0..n)
            .map(|_| {
                x = x
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                width * ((x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
            })
            .collect()
    }

    #[divan::bench(args = SIZES)]
    fn lugre_rates_2d(bencher: Bencher, n: usize) {
        let law = lugre();
        let v = [1, 2].map(|k| column(n, k, 4e-3));
        let z = [3, 4].map(|k| column(n, k, 1e-5));
        let load: Vec<f64> = column(n, 5, 5.0).iter().map(|x| x + 5.0).collect();
        let mut out = [(); 4].map(|()| vec![0.0; n]);
        bencher.counter(ItemsCount::new(n)).bench_local(|| {
            let points = Points {
                velocity: [&v[0], &v[1]],
                normal_force: &load,
            };
            let [a, b, c, d] = &mut out;
            rates_batch(&law, &points, &[&z[0], &z[1]], &mut [a, b], &mut [c, d])
        });
    }

    #[divan::bench(args = SIZES)]
    fn lugre_update_3d(bencher: Bencher, n: usize) {
        let law = lugre();
        let w = [1, 2, 3].map(|k| column(n, k, 4e-3));
        let v = [4, 5, 6].map(|k| column(n, k, 4e-3));
        let load: Vec<f64> = column(n, 7, 5.0).iter().map(|x| x + 5.0).collect();
        let mut state = [8, 9, 10].map(|k| column(n, k, 1e-5));
        let mut out = [(); 3].map(|()| vec![0.0; n]);
        bencher.counter(ItemsCount::new(n)).bench_local(|| {
            let mean = Points {
                velocity: w.each_ref().map(|c| &c[..]),
                normal_force: &load,
            };
            let end = Points {
                velocity: v.each_ref().map(|c| &c[..]),
                normal_force: &load,
            };
            let steps = Steps {
                mean,
                end,
                duration: 1e-3,
            };
            let [a, b, c] = &mut state;
            let [x, y, z] = &mut out;
            update_batch(&law, &steps, &mut [a, b, c], &mut [x, y, z])
        });
    }
}
