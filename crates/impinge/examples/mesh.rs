//! What is a mesh? Triangles with a report of what is wrong with them, and with an inside when they are closed.
//!
//! `cargo run -p impinge --example mesh`

use impinge::{Containment, Mesh, Pair, Pose, Round, Touch, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corners = [[0., 0., 0.], [6., 0., 0.], [0., 6., 0.], [0., 0., 6.]].map(DVec3::from_array).to_vec();
    let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let closed = Mesh::new(corners.clone(), faces.clone())?;
    let report = closed.report();
    println!("{} triangles, volume {:?}, area {:.3}", closed.triangle_count(), report.volume, report.area);
    assert!(closed.is_solid() && report.volume == Some(36.0));

    // Without its last face the mesh is a surface; asked to be a solid it says why it is none.
    let open = Mesh::new(corners, faces[..3].to_vec())?;
    let refused = open.clone().into_solid();
    println!("without a face: {}", refused.as_ref().expect_err("it has a hole"));
    assert!(!open.is_solid() && refused.is_err());

    // A small ball inside touches the solid, and not the surface.
    let ball = Round::sphere(0.5)?;
    let inside = Pose::at(DVec3::ONE)?;
    let touch = Pair::new(closed, ball.clone()).overlap(&Pose::IDENTITY, &inside).witness;
    println!("a ball inside: {touch:?}");
    assert!(matches!(touch, Some(Touch::Contained(Containment::BInA))));
    assert!(!Pair::new(open, ball).overlap(&Pose::IDENTITY, &inside).overlap);
    Ok(())
}
