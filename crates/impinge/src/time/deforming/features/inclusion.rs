//! When do a vertex and a face, or two edges, first meet while their four points move straight? The answer is never
//! late.
//!
//! B. Wang, Z. Ferguson, T. Schneider, X. Jiang, M. Attene and D. Panozzo, *A large-scale benchmark and an
//! inclusion-based algorithm for continuous collision detection*, TOG 40(5), 2021. The vector between the features
//! (`Between`) is affine in the time and in each of two parameters, so the image of a cell of these lies in the box of
//! the images of its corners. A cell whose box does not hold 0 has no root; any other is halved, until its box is as
//! small as the tolerance. Cells are taken in the order of time, so that the first one that is so small begins no later
//! than the first root.
//!
//! Departures. Differences of points are rounded, not points, so the error does not grow with the distance from the
//! origin. The vector is turned into a frame whose third axis is normal to both features half way through. There the
//! parameters hardly change its third coordinate, so the time is narrowed down before they are halved; this replaces
//! the usual test of the coefficients of the cubic of coplanarity. A cell that begins at time 0 has to be as small as
//! rounding, not only as the tolerance, so that features that begin apart meet later than at 0; the paper instead
//! begins again with other tolerances.
//!
//! Invariant: no root is earlier than `time.lower`. Cost: some hundreds of cells for a meeting, one for most pairs that
//! do not meet, at most [`MOST_CELLS`]. Then the first open cell is reported as a meeting, with its nearness.

use super::between::{Between, ERROR, ParameterCell};
use super::encounter::FeatureEncounter;
use crate::math::{EPS, Interval};
use crate::search::best_first::{BestFirst, LowerBound};

/// The most cells of one search: half a millisecond.
const MOST_CELLS: u64 = 1 << 13;

/// A parameter is not halved below this width, so that `1 − t` and all sums stay exact.
const NARROWEST: f64 = f64::EPSILON;

/// What is asked about an encounter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Want {
    /// Features as near as this may count as meeting.
    pub(crate) tolerance: f64,
    /// Features as near as this do count as meeting.
    pub(crate) separation: f64,
    /// Only meetings before this time matter.
    pub(crate) before: f64,
}

/// The first time that two features meet.
///
/// ```
/// use impinge::{glam::DVec3, Inclusion};
/// let (along_x, along_y) = ([-DVec3::X, DVec3::X], [-DVec3::Y, DVec3::Y]);
/// let edges = |z: f64| [along_x[0], along_x[1], along_y[0] + DVec3::Z * z, along_y[1] + DVec3::Z * z];
/// let met = Inclusion::default().edge_edge(edges(1.0), edges(-3.0))?.expect("one falls through the other");
/// assert!(met.time.contains(0.25) && met.nearness == 0.0);
/// assert!(met.place.iter().all(|place| (place - 0.5).abs() < 1e-6), "half way along both");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Meeting {
    /// They do not meet before `lower`; at `upper` they do, or are as near as `nearness`.
    pub time: Interval,
    /// The point of both features: the shares of the way from the first corner of the face to the second and to the
    /// third; or the share of the way along each edge.
    pub place: [f64; 2],
    /// How near they certainly come; 0 when they certainly meet.
    pub nearness: f64,
}

/// Memory that is allocated once and used again by the next search.
#[derive(Debug, Clone, Default)]
pub(crate) struct CellQueue {
    /// The earliest cell first; at equal times the one with the smallest image.
    open: BestFirst<(LowerBound, LowerBound), ParameterCell>,
    /// The number of cells in all searches.
    pub(crate) tested: u64,
}

impl CellQueue {
    #[inline(always)]
    fn push(&mut self, cell: Option<ParameterCell>) {
        if let Some(cell) = cell {
            self.open.push((LowerBound(cell.at[0]), LowerBound(cell.image)), cell);
        }
    }
}

impl FeatureEncounter {
    /// The first possible meeting before `want.before`. [`FeatureEncounter::certain`] decides whether it certainly is
    /// one.
    pub(crate) fn first_meeting(&self, want: &Want, cells: &mut CellQueue) -> Option<Meeting> {
        let [from, to] = self.window(want.separation).filter(|[from, _]| *from < want.before)?;
        Between::of(self).search(dyadic_around(from, to), want, cells)
    }
}

/// The start and width of the narrowest span that contains `[from, to]` and that repeated halving of `[0, 1]` gives.
fn dyadic_around(from: f64, to: f64) -> [f64; 2] {
    let (mut t, mut width) = (0.0, 1.0);
    for _ in 0..20 {
        let half = 0.5 * width;
        if from > t + half {
            t += half;
        } else if to >= t + half {
            break;
        }
        width = half;
    }
    [t, width]
}

impl Between {
    /// The first root within a dyadic span of time.
    fn search(&self, [t, width]: [f64; 2], want: &Want, cells: &mut CellQueue) -> Option<Meeting> {
        let around = want.separation * self.scale * (1.0 + 8.0 * EPS) + ERROR;
        let tolerance = (want.tolerance * self.scale).max(4.0 * ERROR);
        cells.open.clear();
        cells.push(self.cell([t, 0.0, 0.0], [width, 1.0, 1.0], around));
        let most = cells.tested + MOST_CELLS;
        cells.tested += 1;
        while let Some((_, cell)) = cells.open.pop() {
            if cell.at[0] >= want.before {
                return None;
            }
            let small = if cell.at[0] > 0.0 { tolerance } else { 4.0 * ERROR };
            let split = if cell.image <= small || cells.tested >= most { None } else { self.widest(&cell, tolerance) };
            let Some(k) = split else { return Some(self.meeting(&cell, want.separation)) };
            let (mut half, mut later) = (cell.width, cell.at);
            half[k] *= 0.5;
            later[k] += half[k];
            cells.push(self.cell(cell.at, half, around));
            cells.push(self.cell(later, half, around));
            cells.tested += 2;
        }
        None
    }

    /// The parameter that moves the image of a cell most; `None` if none can be halved. Time comes first while a side
    /// of the image is long because of it: then, of features that meet along a whole line, one point is enough.
    fn widest(&self, cell: &ParameterCell, tolerance: f64) -> Option<usize> {
        if cell.image_by_time > tolerance && cell.width[0] > NARROWEST {
            return Some(0);
        }
        let moves = |k: usize| if cell.width[k] > NARROWEST { cell.width[k] * self.reach[k] } else { 0.0 };
        let k = (1..3).fold(0, |most, k| if moves(k) > moves(most) { k } else { most });
        (moves(k) > 0.0).then_some(k)
    }

    /// The meeting in a cell. No coordinate of a point of its image is farther from 0 than the longest side and what
    /// was allowed around it; √3 < 1.8.
    fn meeting(&self, cell: &ParameterCell, separation: f64) -> Meeting {
        let [_, u, v] = cell.at;
        let middle = [u + 0.5 * cell.width[1], v + 0.5 * cell.width[2]];
        // If the third side of a face passes through the cell, only the cell's least corner is certainly on the face.
        let place = if self.is_face && middle[0] + middle[1] > 1.0 { [u, v] } else { middle };
        Meeting {
            time: Interval { lower: cell.at[0], upper: cell.at[0] + cell.width[0] },
            place,
            nearness: 1.8 * (separation + (cell.image + 2.0 * ERROR) / self.scale),
        }
    }
}
