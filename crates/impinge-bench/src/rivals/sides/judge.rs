//! Where two libraries disagree, brute force decides: every triangle against every triangle, by exact predicates.

use impinge::glam::DVec3;
use impinge::{BuildError, Interval, Limit, Mesh, Method, Model, Pair, Pose};

/// How far a rival's rounded distance may lie outside our interval and still count as the same.
const DISTANCE_SLACK: f64 = 1e-6;

/// A query that the two sides answer differently.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::rivals) struct Disagreement {
    pub(in crate::rivals) case: String,
    pub(in crate::rivals) pose: usize,
    pub(in crate::rivals) ours: String,
    pub(in crate::rivals) theirs: String,
    pub(in crate::rivals) brute: String,
    /// Whether brute force gives our answer.
    pub(in crate::rivals) explained: bool,
}

/// Compares answers of one case, and keeps what differs.
#[derive(Debug, Default)]
pub(in crate::rivals) struct Judge {
    pub(in crate::rivals) compared: usize,
    pub(in crate::rivals) disagreements: Vec<Disagreement>,
}

impl Judge {
    /// Yes or no.
    pub(in crate::rivals) fn overlap(&mut self, at: At<'_>, ours: bool, theirs: Option<bool>) {
        self.compared += 1;
        if theirs != Some(ours) {
            let brute = at.brute().overlap(&at.poses[0], &at.poses[1]).overlap;
            self.note(at, format!("{ours}"), format!("{theirs:?}"), format!("{brute}"), brute == ours);
        }
    }

    /// Which pairs of triangles. Both lists are sorted; only pairs in one of them are decided again.
    pub(in crate::rivals) fn contacts(
        &mut self,
        at: At<'_>,
        ours: &[[u32; 2]],
        theirs: &[[u32; 2]],
    ) -> Result<(), BuildError> {
        self.compared += 1;
        if ours == theirs {
            return Ok(());
        }
        let mut wrong = [0, 0];
        let extra = missing_from(theirs, ours).map(|pair| (pair, true));
        let lacking = missing_from(ours, theirs).map(|pair| (pair, false));
        for (pair, we_say) in extra.chain(lacking) {
            let brute = at.brute_pair(pair)?;
            wrong[usize::from(brute == we_say)] += 1;
        }
        let brute = format!("{} pairs of ours and {} of theirs wrong", wrong[0], wrong[1]);
        self.note(at, ours.len().to_string(), theirs.len().to_string(), brute, wrong[0] == 0);
        Ok(())
    }

    /// How far apart.
    pub(in crate::rivals) fn distance(&mut self, at: At<'_>, ours: Interval, theirs: Option<f64>) {
        self.compared += 1;
        let near = |x: f64| ours.lower - DISTANCE_SLACK <= x && x <= ours.upper + DISTANCE_SLACK;
        if !theirs.is_some_and(near) {
            let brute = at.brute().distance(&at.poses[0], &at.poses[1]).interval;
            let explained = brute.lower <= ours.upper && ours.lower <= brute.upper;
            let show = |i: Interval| format!("[{}, {}]", i.lower, i.upper);
            self.note(at, show(ours), format!("{theirs:?}"), show(brute), explained);
        }
    }

    pub(in crate::rivals) fn unexplained(&self) -> usize {
        self.disagreements.iter().filter(|d| !d.explained).count()
    }

    fn note(&mut self, at: At<'_>, ours: String, theirs: String, brute: String, explained: bool) {
        let case = at.case.to_owned();
        self.disagreements.push(Disagreement { case, pose: at.pose, ours, theirs, brute, explained });
    }
}

/// The query: a surface against itself.
#[derive(Clone, Copy)]
pub(in crate::rivals) struct At<'a> {
    pub(in crate::rivals) case: &'a str,
    pub(in crate::rivals) pose: usize,
    pub(in crate::rivals) model: &'a Model,
    pub(in crate::rivals) corners: &'a dyn Fn(u32) -> Option<[DVec3; 3]>,
    pub(in crate::rivals) poses: &'a [Pose; 2],
}

impl At<'_> {
    fn brute(&self) -> Pair {
        Pair::new(self.model.clone(), self.model.clone()).with_method(Method::Brute)
    }

    /// Decides one pair of triangles. The predicates see the same coordinates as they do in the whole meshes.
    fn brute_pair(&self, pair: [u32; 2]) -> Result<bool, BuildError> {
        let [Some(a), Some(b)] = pair.map(self.corners) else { return Ok(false) };
        let one = |corners: [DVec3; 3]| Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).map(Mesh::into_surface);
        let mut pair = Pair::new(one(a)?, one(b)?).with_method(Method::Brute);
        Ok(pair.contacts(&self.poses[0], &self.poses[1], Limit::First).touching())
    }
}

/// The pairs of `of` that are not in `list`; both are sorted.
fn missing_from<'a>(list: &'a [[u32; 2]], of: &'a [[u32; 2]]) -> impl Iterator<Item = [u32; 2]> + 'a {
    of.iter().copied().filter(|pair| list.binary_search(pair).is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles that cross, and one apart from both.
    fn judged(ours: &[[u32; 2]], theirs: &[[u32; 2]]) -> Judge {
        let corners = |i: u32| {
            let lift = DVec3::new(0.0, 0.0, f64::from(i) * 5.0);
            Some([DVec3::ZERO, DVec3::X, DVec3::Y].map(|p| p + lift))
        };
        let model = Model::from(Mesh::empty());
        let poses = [Pose::IDENTITY; 2];
        let at = At { case: "case", pose: 7, model: &model, corners: &corners, poses: &poses };
        let mut judge = Judge::default();
        judge.contacts(at, ours, theirs).unwrap();
        judge
    }

    #[test]
    fn pairs_in_one_list_only_are_decided_again() {
        assert!(judged(&[[0, 0]], &[[0, 0]]).disagreements.is_empty());
        assert_eq!(judged(&[[0, 0]], &[[0, 0], [0, 1]]).unexplained(), 0);
        assert_eq!(judged(&[[0, 0], [1, 1]], &[[1, 1]]).unexplained(), 0);
        assert_eq!(judged(&[[0, 0], [0, 1]], &[[0, 0]]).unexplained(), 1);
        let missed = judged(&[[0, 0]], &[[0, 0], [1, 1]]);
        assert_eq!((missed.unexplained(), missed.disagreements[0].pose), (1, 7));
    }

    #[test]
    fn a_wrong_yes_or_distance_of_ours_is_not_explained() {
        let (model, poses) = (Model::from(Mesh::empty()), [Pose::IDENTITY; 2]);
        let at = At { case: "empty", pose: 0, model: &model, corners: &|_| None, poses: &poses };
        let mut judge = Judge::default();
        judge.overlap(at, false, Some(true));
        judge.distance(at, Interval::INFINITE, Some(1.0));
        assert_eq!((judge.compared, judge.disagreements.len(), judge.unexplained()), (2, 2, 0));
        judge.overlap(at, true, Some(false));
        judge.distance(at, Interval::ZERO, None);
        assert_eq!((judge.compared, judge.disagreements.len(), judge.unexplained()), (4, 4, 2));
    }
}
