//! Mirtich's Figure 10: a fixed cube, and a sphere that turns above it by 1 to 20 degrees a call.

use impinge::{Method, Model, Pair, Pose};

use super::laps::{PASSES, lap, timed};
use crate::bodies::{cube, geodesic, turning};
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};

const ENGINES: [Method; 8] = [
    Method::Auto,
    Method::VClip,
    Method::LinCanny,
    Method::EnhancedGjk,
    Method::Gjk,
    Method::GjkSignedVolumes,
    Method::GjkJohnson,
    Method::GjkNesterov,
];

/// Edges of an icosahedron are cut into so many: 180, 720, 1280, 2880 and 20480 facets.
const FREQUENCIES: [u32; 5] = [3, 6, 8, 12, 32];
/// Facets 16-fold: 180 to 2880, and 1280 to 20480.
const SIXTEENFOLD: [[usize; 2]; 2] = [[0, 3], [2, 4]];
const DEGREES: [u32; 6] = [1, 2, 5, 10, 15, 20];

/// What one engine took on one sphere at one speed.
#[derive(Clone, Copy)]
struct Cost {
    ns: f64,
    steps: f64,
}

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let (calls, passes) = if quick { (90, 1) } else { (720, PASSES) };
    let spheres = FREQUENCIES.map(geodesic);
    let facets = spheres.each_ref().map(|soup| soup.triangles.len());
    let cube = cube().hull("cube")?;
    let spheres = spheres.iter().map(|soup| soup.hull("sphere")).collect::<Result<Vec<_>, _>>()?;
    let mut costs = Vec::new();
    for degrees in DEGREES {
        eprintln!("turning by {degrees}°");
        let poses = turning(f64::from(degrees), calls, &mut Random::new(1, u64::from(degrees)))?;
        costs.push(measure(passes, &cube, &spheres, &poses));
    }
    report.add("## A turning sphere (Figure 10)");
    report.add("Nanoseconds, and steps in brackets, at so many degrees between calls.");
    report.add(by_engine(&facets, &costs));
    report.add(sixteenfold(&facets, &costs[0]));
    report.add("## V-Clip and enhanced GJK (§3.3)");
    report.add("The same calls. The paper: enhanced GJK takes 50 to 100 % more floating-point operations.");
    report.add(side_by_side(&facets, &costs));
    Ok(())
}

/// By engine, then by sphere.
type Costs = Vec<Vec<Cost>>;

fn measure(passes: usize, cube: &Model, spheres: &[Model], poses: &[Pose]) -> Costs {
    let cells = ENGINES.iter().flat_map(|&method| spheres.iter().map(move |sphere| (method, sphere)));
    let mut pairs: Vec<Pair> = cells.map(|(method, sphere)| Pair::new(cube, sphere).with_method(method)).collect();
    let times = timed(passes, &mut pairs, poses);
    let cost = |(pair, ns)| Cost { ns, steps: lap(pair, poses) as f64 / poses.len() as f64 };
    let costs: Vec<Cost> = pairs.iter_mut().zip(times).map(cost).collect();
    costs.chunks(spheres.len()).map(<[Cost]>::to_vec).collect()
}

fn by_engine(facets: &[usize], costs: &[Costs]) -> Table {
    let speeds = DEGREES.map(|degrees| format!("{degrees}°"));
    let heads: Vec<&str> = ["engine", "facets"].into_iter().chain(speeds.iter().map(String::as_str)).collect();
    let mut table = Table::new(1, &heads);
    for (e, engine) in ENGINES.iter().enumerate() {
        for (s, facets) in facets.iter().enumerate() {
            let cells = costs.iter().map(|costs| format!("{} ({:.2})", figure(costs[e][s].ns), costs[e][s].steps));
            table.row([engine.to_string(), facets.to_string()].into_iter().chain(cells));
        }
    }
    table
}

fn sixteenfold(facets: &[usize], slowest: &Costs) -> String {
    let mut text = "16 times the facets cost, at 1° a call (the paper: 15 %, Lin-Canny):\n".to_owned();
    for (engine, costs) in ENGINES.iter().zip(slowest).take(4) {
        let more = SIXTEENFOLD.map(|[few, many]| {
            let percent = 100.0 * (costs[many].ns / costs[few].ns - 1.0);
            format!("{percent:+.0} % from {} to {}", facets[few], facets[many])
        });
        text += &format!("\n- {engine}: {}", more.join(", "));
    }
    text
}

fn side_by_side(facets: &[usize], costs: &[Costs]) -> Table {
    let at = |method| ENGINES.iter().position(|&m| m == method).unwrap_or(0);
    let (v_clip, gjk) = (at(Method::VClip), at(Method::EnhancedGjk));
    let mut table = Table::new(0, &["facets", "degrees", "v-clip ns", "steps", "enhanced-gjk ns", "steps", "ratio"]);
    for (s, facets) in facets.iter().enumerate() {
        for (degrees, costs) in DEGREES.iter().zip(costs) {
            let [x, y] = [costs[v_clip][s], costs[gjk][s]];
            let figures = [x.ns, x.steps, y.ns, y.steps, y.ns / x.ns].map(figure);
            table.row([facets.to_string(), degrees.to_string()].into_iter().chain(figures));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_has_a_cost_and_every_table_its_rows() {
        let cube = cube().hull("cube").unwrap();
        let spheres = [2, 4].map(|f| geodesic(f).hull("sphere").unwrap());
        let poses = turning(5.0, 24, &mut Random::new(1, 1)).unwrap();
        let costs = measure(1, &cube, &spheres, &poses);
        assert!(costs.len() == ENGINES.len() && costs.iter().all(|of| of.len() == 2));
        assert!(costs.iter().flatten().all(|cost| cost.ns > 0.0 && cost.steps >= 1.0));
        let many = vec![costs; DEGREES.len()];
        assert_eq!(by_engine(&[80, 320], &many).to_string().lines().count(), 2 + 2 * ENGINES.len());
        assert_eq!(side_by_side(&[80, 320], &many).to_string().lines().count(), 2 + 2 * DEGREES.len());
    }

    #[test]
    fn the_cost_of_facets_is_printed_in_percent() {
        let of = |ns: [f64; 5]| ns.map(|ns| Cost { ns, steps: 1.0 }).to_vec();
        let costs = vec![of([100.0, 0.0, 200.0, 110.0, 190.0]); 4];
        let text = sixteenfold(&[180, 720, 1280, 2880, 20480], &costs);
        assert!(text.contains("- auto: +10 % from 180 to 2880, -5 % from 1280 to 20480"), "{text}");
    }
}
