//! Round shapes in the command line's words.

use glam::DVec3;
use impinge::Round;

/// `sphere:r`, `capsule:r,h`, `box:x,y,z`, `cylinder:r,h`, `cone:r,h`, `ellipsoid:x,y,z`, `half-space:nx,ny,nz,d`.
pub(crate) fn round(word: &str) -> Round {
    let (name, rest) = word.split_once(':').unwrap();
    let numbers: Vec<f64> = rest.split(',').map(|x| x.parse().unwrap()).collect();
    match (name, numbers[..].as_ref()) {
        ("sphere", &[r]) => Round::sphere(r),
        ("capsule", &[r, h]) => Round::capsule(r, h),
        ("box", &[x, y, z]) => Round::cuboid(DVec3::new(x, y, z)),
        ("cylinder", &[r, h]) => Round::cylinder(r, h),
        ("cone", &[r, h]) => Round::cone(r, h),
        ("ellipsoid", &[x, y, z]) => Round::ellipsoid(DVec3::new(x, y, z)),
        ("half-space", &[x, y, z, d]) => Round::half_space(DVec3::new(x, y, z), d),
        _ => panic!("'{word}' is no shape"),
    }
    .unwrap()
}
