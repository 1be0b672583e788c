//! Walks from feature to feature by Voronoi regions: Lin-Canny, V-Clip.

pub(crate) mod lin_canny;
pub(crate) mod lin_canny_cells;
pub(crate) mod lin_canny_level;
pub(crate) mod lin_canny_regions;
pub(crate) mod v_clip;
