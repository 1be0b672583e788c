//! Parts of machines that turn in each other: gears, and threads of screws and nuts.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::soup::Soup;

/// The angle between the flanks of a gear and its radii at the pitch circle: 20°.
const PRESSURE_ANGLE: f64 = PI / 9.0;

/// A spur gear with involute flanks, about the z axis; its pitch circle has the radius `½·teeth·module`.
#[derive(Debug, Clone, Copy)]
pub struct Gear {
    /// The number of teeth.
    pub teeth: u32,
    /// The diameter of the pitch circle for each tooth.
    pub module: f64,
    /// How far teeth reach out from the pitch circle.
    pub addendum: f64,
    /// How far the gaps between teeth reach in from the pitch circle.
    pub dedendum: f64,
    /// How much narrower each tooth is than half of the pitch, along the pitch circle; negative where it is wider.
    pub play: f64,
    /// The number of edges along each flank.
    pub edges: u32,
    /// Along the axis.
    pub height: f64,
}

impl Gear {
    /// The outline, anticlockwise, `2·(edges + 1)` points a tooth; the first tooth is centred on the angle 0.
    fn outline(&self) -> Vec<DVec3> {
        let pitch_radius = 0.5 * f64::from(self.teeth) * self.module;
        let base = pitch_radius * PRESSURE_ANGLE.cos();
        let involute = |r: f64| {
            let angle = (base / r).min(1.0).acos();
            angle.tan() - angle
        };
        let half_width = |r: f64| {
            let at_pitch = 0.5 * PI / f64::from(self.teeth) - 0.5 * self.play / pitch_radius;
            at_pitch + involute(pitch_radius) - involute(r)
        };
        let (low, high) = (pitch_radius - self.dedendum, pitch_radius + self.addendum);
        let radius = |k: u32| low + (high - low) * f64::from(k) / f64::from(self.edges);
        (0..self.teeth)
            .flat_map(|tooth| {
                let middle = TAU * f64::from(tooth) / f64::from(self.teeth);
                let up = (0..=self.edges).map(move |k| (radius(k), middle - half_width(radius(k))));
                let down = (0..=self.edges).rev().map(move |k| (radius(k), middle + half_width(radius(k))));
                up.chain(down).map(|(r, angle)| DVec3::new(r * angle.cos(), r * angle.sin(), 0.0)).collect::<Vec<_>>()
            })
            .collect()
    }

    /// The gear as a solid.
    pub fn solid(&self) -> Soup {
        let outline = self.outline();
        let n = outline.len() as u32;
        let half = DVec3::Z * 0.5 * self.height;
        let mut vertices: Vec<DVec3> = outline.iter().map(|p| *p - half).collect();
        vertices.extend(outline.iter().map(|p| *p + half));
        vertices.extend([-half, half]);
        let triangles = (0..n).flat_map(|i| {
            let j = (i + 1) % n;
            [[i, j, n + j], [i, n + j, n + i], [2 * n, j, i], [2 * n + 1, n + i, n + j]]
        });
        Soup { triangles: triangles.collect(), vertices }
    }

    /// A ring around a hole of the shape of this gear: a ring gear, whose teeth are this gear's gaps.
    pub fn ring(&self, outer: f64) -> Soup {
        let inner = self.outline();
        let n = inner.len() as u32;
        let rim = |p: &DVec3| *p * (outer / p.length());
        let half = DVec3::Z * 0.5 * self.height;
        let rows: [Vec<DVec3>; 2] = [inner.iter().map(rim).collect(), inner.clone()];
        let vertices = rows.iter().flat_map(|row| [-half, half].map(|z| row.iter().map(move |p| *p + z)));
        let vertices = vertices.flatten().collect();
        let at = |row: u32, k: u32| row * n + k;
        let quad = |a: u32, b: u32, c: u32, d: u32| [[a, b, c], [a, c, d]];
        let triangles = (0..n).flat_map(|i| {
            let j = (i + 1) % n;
            [
                quad(at(0, i), at(0, j), at(1, j), at(1, i)),
                quad(at(2, j), at(2, i), at(3, i), at(3, j)),
                quad(at(1, i), at(1, j), at(3, j), at(3, i)),
                quad(at(2, i), at(2, j), at(0, j), at(0, i)),
            ]
            .concat()
        });
        Soup { triangles: triangles.collect(), vertices }
    }
}

/// The surface of a thread about the z axis, open at both ends: its radius goes evenly from `low` to `high` and back
/// along each pitch. `sides` corners a turn, `rows` edges along each half of the pitch.
pub fn thread(sides: u32, rows: u32, [low, high]: [f64; 2], pitch: f64, turns: u32) -> Soup {
    let a_pitch = 2 * rows;
    let count = a_pitch * (turns + 1) + 1;
    let height = |row: u32| pitch * (f64::from(row) / f64::from(a_pitch) - 0.5 * f64::from(turns + 1));
    let radius = |row: u32| {
        let share = f64::from(row % a_pitch) / f64::from(rows);
        low + (high - low) * share.min(2.0 - share)
    };
    let mut soup = Soup::default();
    for i in 0..sides {
        let angle = TAU * f64::from(i) / f64::from(sides);
        for row in 0..count {
            let z = height(row) + pitch * f64::from(i) / f64::from(sides);
            soup.vertices.push(DVec3::new(radius(row) * angle.cos(), radius(row) * angle.sin(), z));
        }
    }
    // After a whole turn, the thread has risen by a pitch.
    for i in 0..sides {
        let next = |row: u32| if i + 1 < sides { (i + 1) * count + row } else { row + a_pitch };
        let last = if i + 1 < sides { count - 1 } else { count - 1 - a_pitch };
        for row in 0..last {
            let [a, b, c, d] = [i * count + row, next(row), next(row + 1), i * count + row + 1];
            soup.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    soup
}
