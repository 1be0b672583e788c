//! What is a body of parts? A union of convex pieces, given, or cut from a closed mesh.
//!
//! `cargo run -p impinge --example parts`

use impinge::{DepthKind, Limit, Mesh, Pair, Parts, Pose, Round, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A bracket: the outline of an L, two units thick.
    let outline = [[0., 0.], [3., 0.], [3., 1.], [1., 1.], [1., 3.], [0., 3.]];
    let corners = [0.0, 2.0].iter().flat_map(|&z| outline.map(|[x, y]| DVec3::new(x, y, z))).collect();
    let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = caps.iter().flat_map(|&[a, b, c]| [[a, c, b], [a + 6, b + 6, c + 6]]).collect();
    triangles.extend((0..6).flat_map(|i| [[i, (i + 1) % 6, i + 6], [(i + 1) % 6, (i + 1) % 6 + 6, i + 6]]));
    let bracket = Parts::decompose(&Mesh::new(corners, triangles)?)?;
    println!("the bracket is made of {} convex pieces, exactly: {}", bracket.piece_count(), bracket.is_exact());
    assert!(bracket.piece_count() == 2 && bracket.is_exact());

    // A ball that fits into the corner of the L touches both legs; a little farther out it touches neither, although
    // it is still within the hull of the L.
    let mut pair = Pair::new(bracket, Round::sphere(0.5)?);
    let corner = Pose::at(DVec3::new(1.5, 1.5, 1.0))?;
    let contacts = pair.contacts(&Pose::IDENTITY, &corner, Limit::All);
    println!("in the corner it touches pieces {:?}", contacts.pairs.iter().map(|p| p[0]).collect::<Vec<_>>());
    assert_eq!(contacts.pairs.len(), 2);
    assert!(!pair.overlap(&Pose::IDENTITY, &Pose::at(DVec3::new(1.6, 1.6, 1.0))?).overlap);

    let deep = pair.penetration(&Pose::IDENTITY, &Pose::at(DVec3::new(2.5, 1.25, 1.0))?);
    println!("pressed on a leg it is {:.3} deep ({:?})", deep.interval.upper, deep.kind);
    assert!(deep.interval.contains(0.25) && matches!(deep.kind, DepthKind::Exact | DepthKind::PerPiece));
    Ok(())
}
