//! The names of the engines.

/// Which engine answers a query. All engines give the same answers to the questions that they can answer; to other
/// questions, and for bodies that an engine cannot handle, `Auto` answers instead. `Brute` is the oracle.
///
/// ```
/// assert_eq!("v-clip".parse(), Ok(impinge::Method::VClip));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The fastest that keeps the promises.
    #[default]
    Auto,
    /// Every primitive against every other.
    Brute,
    /// Meshes: the bodies' trees, in tandem.
    Tree,
    /// Polyhedra: closest features by Lin and Canny's walk.
    LinCanny,
    /// The same with faces and vertices of many edges cut into regions of constant size.
    LinCannyCells,
    /// Polyhedra: closest features by V-Clip. Its penetration is an estimate.
    VClip,
    /// Convex bodies: Gilbert, Johnson and Keerthi's algorithm, the simplex by a walk over its regions.
    Gjk,
    /// GJK, the simplex by signed volumes.
    GjkSignedVolumes,
    /// GJK, the simplex by Johnson's determinants.
    GjkJohnson,
    /// GJK with Nesterov's momentum.
    GjkNesterov,
    /// GJK with climbed supports and remembered simplices.
    EnhancedGjk,
    /// Polyhedra, whether they touch: Baraff's separating plane, remembered.
    WitnessPlane,
    /// Polyhedra, whether they touch: Chung and Wang's separating vector.
    SeparatingVector,
    /// Polyhedra, whether they touch: Rabbitz' remembered direction and simplex.
    Rabbitz,
    /// Penetration by an expanding polytope.
    Epa,
    /// Penetration of polyhedra by separating axes on the Gauss map.
    GaussMap,
}

crate::error::named! {
    /// Every engine, in the order of the list above.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Method, Pair, Pose, Round};
    /// let cube = Round::cuboid(DVec3::splat(2.0))?;
    /// let beside = Pose::at(DVec3::X * 3.0)?;
    /// for &method in Method::EACH {
    ///     let mut pair = Pair::new(cube.clone(), cube.clone()).with_method(method);
    ///     assert!(pair.distance(&Pose::IDENTITY, &beside).interval.contains(1.0), "{method}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    const EACH: Method {
        Auto = "auto",
        Brute = "brute",
        Tree = "tree",
        LinCanny = "lin-canny",
        LinCannyCells = "lin-canny-cells",
        VClip = "v-clip",
        Gjk = "gjk",
        GjkSignedVolumes = "gjk-signed-volumes",
        GjkJohnson = "gjk-johnson",
        GjkNesterov = "gjk-nesterov",
        EnhancedGjk = "enhanced-gjk",
        WitnessPlane = "witness-plane",
        SeparatingVector = "separating-vector",
        Rabbitz = "rabbitz",
        Epa = "epa",
        GaussMap = "gauss-map",
    }
}
