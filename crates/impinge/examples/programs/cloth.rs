//! How does a step of cloth go? A sheet falls on a ball. Every vertex moves straight; what meets is pushed apart.
//!
//! `cargo run -p impinge --example cloth`

use impinge::{Convex, Deforming, EncounterOptions, Mesh, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spiral = |k: f64| (k * 2.4, 1.0 - (k + 0.5) / 100.0);
    let on_ball = |(a, z): (f64, f64)| DVec3::new(a.cos(), a.sin(), 0.0) * f64::sqrt(1.0 - z * z) + DVec3::Z * z;
    let ball = Convex::hull(&(0..200).map(|k| on_ball(spiral(f64::from(k))) * 0.5).collect::<Vec<_>>())?;
    let faces = (0..ball.face_count() as u32).filter_map(|f| ball.face_corners(f)?.collect::<Vec<_>>().try_into().ok());
    let ball = Deforming::still(Mesh::new(ball.vertices().to_vec(), faces.collect())?);
    let place = |k: u32| DVec3::new(f64::from(k % 13) / 6.0 - 1.0, f64::from(k / 13) / 6.0 - 1.0, 0.6);
    let mut sheet: Vec<DVec3> = (0..169).map(place).collect();
    let quads = (0..144).map(|k| k / 12 * 13 + k % 12);
    let triangles: Vec<[u32; 3]> = quads.flat_map(|v| [[v, v + 1, v + 14], [v, v + 14, v + 13]]).collect();
    let near = EncounterOptions { thickness: 0.02, ..EncounterOptions::default() };
    for _ in 0..10 {
        let mut next: Vec<DVec3> = sheet.iter().map(|v| *v - DVec3::Z * 0.03).collect();
        for _ in 0..20 {
            let step = Deforming::new(Mesh::new(sheet.clone(), triangles.clone())?, &next)?;
            let list = step.encounters(&ball, &near).list;
            if list.is_empty() {
                sheet = next;
                break;
            }
            // Each vertex of the sheet's feature takes its share of the way back.
            for met in list {
                let (normal, corners, weights) = (met.normal.unwrap_or(-DVec3::Z), met.vertices[0], met.weights[0]);
                let end: DVec3 = (0..3).map(|i| next[corners[i] as usize] * weights[i]).sum();
                let sunk = (1.1 * near.thickness - normal.dot(met.points[1] - end)).max(0.0);
                (0..3).for_each(|i| next[corners[i] as usize] -= normal * sunk * weights[i]);
            }
        }
    }
    println!("the middle of the sheet is at {:.3}, a corner at {:.3}", sheet[84].z, sheet[0].z);
    assert!(sheet[84].z > 0.5 && sheet[0].z < 0.35);
    Ok(())
}
