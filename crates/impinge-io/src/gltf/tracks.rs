//! The tracks of an animated node, as poses or as splines of its origin and its rotation.
//!
//! `animation.rs` derives the transform of the mesh from them.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::accessor;
use super::buffers::Buffers;
use super::json::Value;
use super::scene::Local;
use super::tables::Tables;
use crate::budget::Budget;
use crate::document::{Animation, Key, Keyframes, SplineKey, Splines, Turns};
use crate::error::{Fault, MALFORMED};

/// What to do with an animation that is not rigid and linear.
pub(super) const BAKE: &str =
    "bake the animation to linear keys of translation and rotation of one node, and export it again";

/// Times and values of a channel.
pub(super) struct Track<const N: usize> {
    keys: Vec<(f64, [f64; N])>,
    /// The slopes before and after each key, where it is a spline.
    slopes: Option<Vec<[[f64; N]; 2]>>,
}

pub(super) fn track<'a, const N: usize>(
    tables: &Tables<'a>,
    buffers: &mut Buffers<'a>,
    sampler: Value<'a>,
    budget: &mut Budget,
) -> Result<Track<N>, Fault> {
    let how = sampler.get("interpolation")?;
    let is_spline = match how.map(Value::string).transpose()?.as_deref() {
        None | Some("LINEAR") => false,
        Some("CUBICSPLINE") => true,
        Some(other) => {
            return Err(how.unwrap_or(sampler).fault(format!("the interpolation {other} is not supported"), BAKE));
        }
    };
    let index = |key: &str| {
        let value = sampler.get(key)?;
        value.ok_or_else(|| sampler.fault(format!("\"{key}\" is missing here"), MALFORMED))?.index()
    };
    let (input, output) = (index("input")?, index("output")?);
    for index in [input, output] {
        accessor::fetch(tables, buffers, index, budget)?;
    }
    let times = accessor::numbers::<1>(tables, buffers, input)?;
    let values = accessor::numbers::<N>(tables, buffers, output)?;
    // A spline has three values for a time: the slope before, the value and the slope after.
    let each = if is_spline { 3 } else { 1 };
    if times.count.checked_mul(each) != Some(values.count) {
        let message = format!("there are {} times and {} values, not {each} for each", times.count, values.count);
        return Err(sampler.fault(message, MALFORMED));
    }
    let mut keys = budget.vec(times.count)?;
    let mut slopes = budget.vec(if is_spline { times.count } else { 0 })?;
    for i in 0..times.count {
        let time = times.values::<1>(i)[0];
        let all = [0, 1, 2].map(|k| values.values::<N>(each * i + k.min(each - 1)));
        if !time.is_finite() || all.iter().flatten().any(|x| !x.is_finite()) {
            return Err(sampler.fault(format!("key {i} is not finite"), crate::error::FINITE));
        }
        if keys.last().is_some_and(|(before, _)| time <= *before) {
            return Err(sampler.fault(format!("the time of key {i} is not later than that before"), MALFORMED));
        }
        keys.push((time, if is_spline { all[1] } else { all[0] }));
        if is_spline {
            slopes.push([all[0], all[2]]);
        }
    }
    Ok(Track { keys, slopes: is_spline.then_some(slopes) })
}

impl<const N: usize> Track<N> {
    /// The value at a time, `mix`ed of two keys; the first value before all keys, the last one after.
    fn at(&self, time: f64, mix: impl Fn([f64; N], [f64; N], f64) -> [f64; N]) -> [f64; N] {
        let next = self.keys.partition_point(|(t, _)| *t < time);
        match (next.checked_sub(1).map(|k| self.keys[k]), self.keys.get(next)) {
            (Some((t0, v0)), Some(&(t1, v1))) if time != t1 => mix(v0, v1, (time - t0) / (t1 - t0)),
            (_, Some(&(_, v))) | (Some((_, v)), None) => v,
            (None, None) => [0.0; N],
        }
    }

    /// The slopes before and after a key; those of a straight path where the file has none.
    fn slopes(&self, k: usize) -> [[f64; N]; 2] {
        let along = |k: usize| match (self.keys.get(k), self.keys.get(k + 1)) {
            (Some((t0, v0)), Some((t1, v1))) => std::array::from_fn(|i| (v1[i] - v0[i]) / (t1 - t0)),
            _ => [0.0; N],
        };
        match &self.slopes {
            Some(slopes) => slopes[k],
            None => [k.checked_sub(1).map_or([0.0; N], along), along(k)],
        }
    }
}

/// The animated node: its tracks, its transform at rest, and the transform above it.
pub(super) struct Tracks<'a> {
    pub(super) above: DAffine3,
    pub(super) rest: Local,
    pub(super) translation: Option<Track<3>>,
    pub(super) rotation: Option<Track<4>>,
    pub(super) node: Value<'a>,
}

impl Tracks<'_> {
    pub(super) fn animation(&self, budget: &mut Budget) -> Result<Animation, Fault> {
        if self.rest.matrix.is_some() {
            return Err(self.node.fault("an animated node has a matrix", BAKE));
        }
        let linear = self.above.matrix3;
        let square = linear.transpose() * linear;
        let scale = square.x_axis.x;
        let even = (square * (1.0 / scale) - DMat3::IDENTITY).to_cols_array().iter().all(|x| x.abs() < 1e-6);
        if !(scale > 0.0 && scale.is_finite()) || (self.rotation.is_some() && !even) {
            let message = "a node that turns is scaled unevenly from above";
            return Err(self.node.fault(message, "export it with scales applied"));
        }
        let splines = self.translation.as_ref().is_some_and(|t| t.slopes.is_some())
            || self.rotation.as_ref().is_some_and(|r| r.slopes.is_some());
        let keyframes =
            if splines { Keyframes::Splines(self.splines(budget)?) } else { Keyframes::Poses(self.poses(budget)?) };
        Ok(Animation { centre: self.above.transform_point3(self.rest.translation), keyframes })
    }

    /// A rotation as the file has it, if it is one.
    fn unit(&self, q: [f64; 4]) -> Result<DQuat, Fault> {
        let (q, length) = (DQuat::from_array(q), DQuat::from_array(q).length());
        if (length - 1.0).abs() < 1e-3 {
            return Ok(q.normalize());
        }
        Err(self.node.fault(format!("a key of its rotation has length {length}, not 1"), MALFORMED))
    }

    /// The rotation of the mesh that follows from a rotation of the node.
    fn turned(&self, rotation: DQuat) -> DQuat {
        let linear = self.above.matrix3;
        let local = DMat3::from_quat(rotation * self.rest.rotation.conjugate());
        DQuat::from_mat3(&(linear * local * linear.inverse())).normalize()
    }

    /// The poses at the times of both tracks.
    fn poses(&self, budget: &mut Budget) -> Result<Vec<Key>, Fault> {
        let Tracks { above, rest, translation, rotation, .. } = self;
        let count = translation.as_ref().map_or(0, |t| t.keys.len()) + rotation.as_ref().map_or(0, |r| r.keys.len());
        let mut times: Vec<f64> = budget.vec(count)?;
        times.extend(translation.iter().flat_map(|t| t.keys.iter().map(|k| k.0)));
        times.extend(rotation.iter().flat_map(|r| r.keys.iter().map(|k| k.0)));
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let centre = above.transform_point3(rest.translation);
        let line = |a: [f64; 3], b: [f64; 3], s: f64| DVec3::from_array(a).lerp(DVec3::from_array(b), s).to_array();
        let arc = |a: [f64; 4], b: [f64; 4], s: f64| match (self.unit(a), self.unit(b)) {
            (Ok(a), Ok(b)) => a.slerp(b, s).to_array(),
            _ => a,
        };
        let mut keys = budget.vec(times.len())?;
        for time in times {
            let at = translation.as_ref().map_or(rest.translation, |t| DVec3::from_array(t.at(time, line)));
            let rotation = rotation.as_ref().map(|r| self.unit(r.at(time, arc))).transpose()?;
            let turn = rotation.map_or(DQuat::IDENTITY, |rotation| self.turned(rotation));
            keys.push(Key { time, translation: above.transform_point3(at) - turn * centre, rotation: turn });
        }
        Ok(keys)
    }

    /// Both tracks as splines, with the slopes of straight paths where the file has none.
    fn splines(&self, budget: &mut Budget) -> Result<Splines, Fault> {
        let mut path = budget.vec(self.translation.as_ref().map_or(1, |t| t.keys.len()))?;
        match &self.translation {
            Some(track) => path.extend((0..track.keys.len()).map(|k| {
                let [arrives, leaves] = track.slopes(k).map(|x| self.above.transform_vector3(DVec3::from_array(x)));
                let (time, value) = track.keys[k];
                SplineKey { time, arrives, value: self.above.transform_point3(DVec3::from_array(value)), leaves }
            })),
            None => path.push(SplineKey {
                time: self.start(),
                arrives: DVec3::ZERO,
                value: self.above.transform_point3(self.rest.translation),
                leaves: DVec3::ZERO,
            }),
        }
        Ok(Splines { path, turns: self.turns(budget)? })
    }

    fn turns(&self, budget: &mut Budget) -> Result<Turns, Fault> {
        let Some(track) = &self.rotation else { return Ok(Turns::Steady(vec![(self.start(), DQuat::IDENTITY)])) };
        let Some(slopes) = &track.slopes else {
            let mut turns = budget.vec(track.keys.len())?;
            for &(time, value) in &track.keys {
                turns.push((time, self.turned(self.unit(value)?)));
            }
            return Ok(Turns::Steady(turns));
        };
        // The rotation of what is above; a mirror there changes nothing.
        let linear = self.above.matrix3;
        let linear = linear * linear.determinant().abs().cbrt().recip() * linear.determinant().signum();
        let outer = DQuat::from_mat3(&linear).normalize();
        let inner = self.rest.rotation.conjugate() * outer.conjugate();
        let turned = |q: [f64; 4]| outer * DQuat::from_array(q) * inner;
        let mut turns = budget.vec(track.keys.len())?;
        for (&(time, value), &[arrives, leaves]) in track.keys.iter().zip(slopes) {
            self.unit(value)?;
            let [arrives, value, leaves] = [arrives, value, leaves].map(turned);
            turns.push(SplineKey { time, arrives, value, leaves });
        }
        Ok(Turns::Spline(turns))
    }

    /// The first time of any key.
    fn start(&self) -> f64 {
        let first = |time: Option<f64>| time.unwrap_or(f64::INFINITY);
        let translation = self.translation.as_ref().and_then(|t| t.keys.first().map(|k| k.0));
        let rotation = self.rotation.as_ref().and_then(|r| r.keys.first().map(|k| k.0));
        first(translation).min(first(rotation))
    }
}
