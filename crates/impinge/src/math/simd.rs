//! Vectors of eight `f32` and four `f64`, and the one dispatch that chooses instructions for the CPU.
//!
//! One source serves every level: kernels are generic over [`Simd`] and compiled once per level. No operation is fused
//! and none is approximate, so each lane rounds as the scalar operation does and every level gives the same bits.
//!
//! This is the crate's one place with `unsafe` code. A measurement showed that it is needed: LLVM left the same
//! kernels, written as loops over arrays, in scalar code, several times slower.
//!
//! Proof. `unsafe` here is the calling of AVX2 instructions and of the function compiled with them and with those that
//! count bits. The type `Avx2` is private to this file and only `dispatch` names it, after the CPU said that it has all
//! of these; so no `Avx2` operation runs elsewhere. Loads read array references of exactly the length read, without
//! alignment demands, and the `transmute`s are between types of one size without invalid values.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU8, Ordering};

/// Eight `f32` and four `f64`, operated on lane by lane.
pub(crate) trait Simd: Copy {
    type F32x8: F32x8;
    type F64x4: F64x4;
    /// Four and four, each rounded to the nearest `f32`.
    fn narrow(low: Self::F64x4, high: Self::F64x4) -> Self::F32x8;

    /// Runs a part of a kernel as a function of its own, compiled for this level: for what is long, and used at several
    /// places. Inlined at each of them, such parts were a fifth of all machine code of the library.
    fn part<K: Kernel>(kernel: K) -> K::Output;

    /// The same for a part in an inner loop that takes little longer than a call: a function of its own only where
    /// vectors are plain arrays, which are several times as slow and half of all machine code.
    fn brief_part<K: Kernel>(kernel: K) -> K::Output;
}

/// What both kinds of vectors can do.
pub(crate) trait Vector: Copy {
    type Scalar;
    fn splat(x: Self::Scalar) -> Self;
    /// `x` in every lane, rounded to its precision.
    fn rounded(x: f64) -> Self;
    fn add(self, o: Self) -> Self;
    fn sub(self, o: Self) -> Self;
    fn mul(self, o: Self) -> Self;
    fn div(self, o: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// Lane-wise minimum of numbers (no NaN).
    fn min(self, o: Self) -> Self;
    /// Lane-wise maximum; `o` where either is NaN.
    fn max(self, o: Self) -> Self;
}

/// Eight `f32`.
pub(crate) trait F32x8: Vector<Scalar = f32> {
    fn load(x: &[f32; 8]) -> Self;
    fn array(self) -> [f32; 8];
    /// Bit `k` is set when lane `k` of `self` is at most that of `o`.
    fn le(self, o: Self) -> u32;
    /// With the last five bits of each lane replaced by those of the tag.
    fn tag(self, tags: &[u32; 8]) -> Self;
    /// The least lane of numbers (no NaN).
    fn least(self) -> f32;
    /// The last four lanes before the first four.
    fn swap(self) -> Self;
}

/// Four `f64`.
pub(crate) trait F64x4: Vector<Scalar = f64> {
    fn load(x: &[f64; 4]) -> Self;
    /// Vector `4·half ..` of eight `f32`, widened.
    fn widen(x: &[f32; 8], half: usize) -> Self;
    fn array(self) -> [f64; 4];
    /// Bit `k` is set when lane `k` of `self` is less than that of `o`.
    fn lt(self, o: Self) -> u32;
    /// `yes` in the lanes where `self < o`, else `no`.
    fn if_lt(self, o: Self, yes: Self, no: Self) -> Self;
}

/// The expression `$e` for every lane `$k`, written out: a kernel has thousands of these, and as loops they cost the
/// compiler minutes.
macro_rules! lane_by_lane {
    (8, $k:ident => $e:expr) => { lane_by_lane!([0 1 2 3 4 5 6 7], $k => $e) };
    (4, $k:ident => $e:expr) => { lane_by_lane!([0 1 2 3], $k => $e) };
    ([$($lane:literal)*], $k:ident => $e:expr) => { [$({ let $k: usize = $lane; $e }),*] };
}

/// Plain arrays: any CPU.
#[derive(Debug, Clone, Copy)]
struct Portable;

impl Simd for Portable {
    type F32x8 = [f32; 8];
    type F64x4 = [f64; 4];
    #[inline(always)]
    fn narrow(low: [f64; 4], high: [f64; 4]) -> [f32; 8] {
        let [a, b, c, d] = low;
        let [e, f, g, h] = high;
        [a as f32, b as f32, c as f32, d as f32, e as f32, f as f32, g as f32, h as f32]
    }

    #[inline(never)]
    fn part<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Portable>()
    }

    #[inline(always)]
    fn brief_part<K: Kernel>(kernel: K) -> K::Output {
        Portable::part(kernel)
    }
}

/// Lane-wise operations on arrays: `$k` runs over the lanes.
macro_rules! lanes {
    ($n:tt, $($name:ident($($arg:ident: $ty:ty),*) { $k:ident => $lane:expr })*) => {
        $(#[inline(always)]
        fn $name($($arg: $ty),*) -> Self {
            lane_by_lane!($n, $k => $lane)
        })*
    };
}

/// Bit `$k` is set where `$e` holds.
macro_rules! mask {
    ($n:tt, $k:ident => $e:expr) => {{
        let mut bits = 0;
        lane_by_lane!($n, $k => bits |= u32::from($e) << $k);
        bits
    }};
}

/// What `[f32; 8]` and `[f64; 4]` share.
macro_rules! array_lanes {
    ($float:ident, $n:tt) => {
        impl Vector for [$float; $n] {
            type Scalar = $float;
            lanes! { $n,
                splat(x: $float) { _k => x }
                rounded(x: f64) { _k => x as $float }
                add(self: Self, o: Self) { k => self[k] + o[k] }
                sub(self: Self, o: Self) { k => self[k] - o[k] }
                mul(self: Self, o: Self) { k => self[k] * o[k] }
                div(self: Self, o: Self) { k => self[k] / o[k] }
                abs(self: Self) { k => self[k].abs() }
                sqrt(self: Self) { k => self[k].sqrt() }
                min(self: Self, o: Self) { k => if self[k] < o[k] { self[k] } else { o[k] } }
                max(self: Self, o: Self) { k => if self[k] > o[k] { self[k] } else { o[k] } }
            }
        }
    };
}
array_lanes!(f32, 8);
array_lanes!(f64, 4);

impl F32x8 for [f32; 8] {
    lanes! { 8,
        load(x: &[f32; 8]) { k => x[k] }
        array(self: Self) { k => self[k] }
        tag(self: Self, tags: &[u32; 8]) { k => f32::from_bits(self[k].to_bits() & !31 | tags[k]) }
        swap(self: Self) { k => self[k ^ 4] }
    }
    #[inline(always)]
    fn least(self) -> f32 {
        let low = lane_by_lane!(4, k => if self[k] < self[k + 4] { self[k] } else { self[k + 4] });
        low[0].min(low[1]).min(low[2].min(low[3]))
    }
    #[inline(always)]
    fn le(self, o: Self) -> u32 {
        mask!(8, k => self[k] <= o[k])
    }
}

impl F64x4 for [f64; 4] {
    lanes! { 4,
        load(x: &[f64; 4]) { k => x[k] }
        widen(x: &[f32; 8], half: usize) { k => f64::from(x[4 * half + k]) }
        array(self: Self) { k => self[k] }
        if_lt(self: Self, o: Self, yes: Self, no: Self) { k => if self[k] < o[k] { yes[k] } else { no[k] } }
    }
    #[inline(always)]
    fn lt(self, o: Self) -> u32 {
        mask!(4, k => self[k] < o[k])
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{F32x8, F64x4, Kernel, Simd, Vector};

    /// 256-bit registers. Only `dispatch` names this type, after the CPU has reported AVX2.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Avx2;

    impl Simd for Avx2 {
        type F32x8 = __m256;
        type F64x4 = __m256d;
        #[inline(always)]
        fn narrow(low: __m256d, high: __m256d) -> __m256 {
            // SAFETY: only code compiled for AVX2, run on a CPU that has it, gets here.
            unsafe { _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low)) }
        }

        #[inline(always)]
        fn part<K: Kernel>(kernel: K) -> K::Output {
            // SAFETY: only code compiled for AVX2, run on a CPU that has it, gets here.
            unsafe { run_part(kernel) }
        }

        #[inline(always)]
        fn brief_part<K: Kernel>(kernel: K) -> K::Output {
            kernel.run::<Avx2>()
        }
    }

    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn run_part<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx2>()
    }

    /// Bodies that only AVX2 code reaches: see the proof above.
    macro_rules! ops {
        ($($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty { $body:expr })*) => {
            $(#[inline(always)]
            fn $name($($arg: $ty),*) -> $ret {
                // SAFETY: only code compiled for AVX2, run on a CPU that has it, gets here.
                unsafe { $body }
            })*
        };
    }

    impl Vector for __m256 {
        type Scalar = f32;
        ops! {
            splat(x: f32) -> Self { _mm256_set1_ps(x) }
            rounded(x: f64) -> Self { _mm256_set1_ps(x as f32) }
            add(self: Self, o: Self) -> Self { _mm256_add_ps(self, o) }
            sub(self: Self, o: Self) -> Self { _mm256_sub_ps(self, o) }
            mul(self: Self, o: Self) -> Self { _mm256_mul_ps(self, o) }
            div(self: Self, o: Self) -> Self { _mm256_div_ps(self, o) }
            abs(self: Self) -> Self { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self) }
            sqrt(self: Self) -> Self { _mm256_sqrt_ps(self) }
            min(self: Self, o: Self) -> Self { _mm256_min_ps(self, o) }
            max(self: Self, o: Self) -> Self { _mm256_max_ps(self, o) }
        }
    }

    impl F32x8 for __m256 {
        ops! {
            load(x: &[f32; 8]) -> Self { _mm256_loadu_ps(x.as_ptr()) }
            array(self: Self) -> [f32; 8] { std::mem::transmute::<__m256, [f32; 8]>(self) }
            tag(self: Self, tags: &[u32; 8]) -> Self {{
                let tags = _mm256_castsi256_ps(_mm256_loadu_si256(tags.as_ptr().cast()));
                _mm256_or_ps(_mm256_andnot_ps(_mm256_castsi256_ps(_mm256_set1_epi32(31)), self), tags)
            }}
            least(self: Self) -> f32 {{
                let four = _mm_min_ps(_mm256_castps256_ps128(self), _mm256_extractf128_ps::<1>(self));
                let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps::<1>(two, two)))
            }}
            le(self: Self, o: Self) -> u32 { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(self, o)) as u32 }
            swap(self: Self) -> Self { _mm256_permute2f128_ps::<1>(self, self) }
        }
    }

    impl Vector for __m256d {
        type Scalar = f64;
        ops! {
            splat(x: f64) -> Self { _mm256_set1_pd(x) }
            rounded(x: f64) -> Self { _mm256_set1_pd(x) }
            add(self: Self, o: Self) -> Self { _mm256_add_pd(self, o) }
            sub(self: Self, o: Self) -> Self { _mm256_sub_pd(self, o) }
            mul(self: Self, o: Self) -> Self { _mm256_mul_pd(self, o) }
            div(self: Self, o: Self) -> Self { _mm256_div_pd(self, o) }
            abs(self: Self) -> Self { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self) }
            sqrt(self: Self) -> Self { _mm256_sqrt_pd(self) }
            min(self: Self, o: Self) -> Self { _mm256_min_pd(self, o) }
            max(self: Self, o: Self) -> Self { _mm256_max_pd(self, o) }
        }
    }

    impl F64x4 for __m256d {
        ops! {
            load(x: &[f64; 4]) -> Self { _mm256_loadu_pd(x.as_ptr()) }
            widen(x: &[f32; 8], half: usize) -> Self { _mm256_cvtps_pd(_mm_loadu_ps(x[4 * half..][..4].as_ptr())) }
            array(self: Self) -> [f64; 4] { std::mem::transmute::<__m256d, [f64; 4]>(self) }
            lt(self: Self, o: Self) -> u32 { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self, o)) as u32 }
            if_lt(self: Self, o: Self, yes: Self, no: Self) -> Self {
                _mm256_blendv_pd(no, yes, _mm256_cmp_pd::<_CMP_LT_OQ>(self, o))
            }
        }
    }
}

/// A level of vector instructions. All give the same answers; see [`force`].
///
/// ```
/// use impinge::cpu::{available, Level};
/// assert_eq!(available().first(), Some(&Level::Portable), "every CPU has it");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Level {
    /// Any CPU.
    Portable = 1,
    /// x86-64 with AVX2, and with BMI1 and POPCNT, which every such CPU has.
    Avx2 = 2,
}

/// 0 until a level is first needed; then the [`Level`] in use.
static LEVEL: AtomicU8 = AtomicU8::new(0);

/// The best level of this CPU.
///
/// ```
/// assert_eq!(Some(impinge::cpu::best()), impinge::cpu::available().last().copied());
/// ```
pub fn best() -> Level {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        return Level::Avx2;
    }
    Level::Portable
}

/// The levels this CPU has, slowest first.
///
/// ```
/// assert!(impinge::cpu::available().contains(&impinge::cpu::best()));
/// ```
pub fn available() -> Vec<Level> {
    match best() {
        Level::Portable => vec![Level::Portable],
        Level::Avx2 => vec![Level::Portable, Level::Avx2],
    }
}

/// Uses this level in the whole process from now on, or again the best with `None`: for tests and benches. A level the
/// CPU lacks is not taken; the level in use is returned.
pub fn force(level: Option<Level>) -> Level {
    let level = level.filter(|l| available().contains(l)).unwrap_or_else(best);
    LEVEL.store(level as u8, Ordering::Relaxed);
    level
}

/// The level in use.
pub fn level() -> Level {
    match LEVEL.load(Ordering::Relaxed) {
        1 => Level::Portable,
        // Stored by `force` alone, which takes only what the CPU has.
        2 => Level::Avx2,
        _ => force(None),
    }
}

/// The expression for each of the three axes `$i`, without a closure: the compiler may leave a closure, or
/// `array::map`, as a function of its own, compiled without the level's instructions.
macro_rules! axes {
    ($i:ident => $e:expr) => {
        [
            {
                let $i = 0usize;
                $e
            },
            {
                let $i = 1usize;
                $e
            },
            {
                let $i = 2usize;
                $e
            },
        ]
    };
}
pub(crate) use axes;

/// Work that can be compiled for each level. `run` and all that it calls in its inner loops must be
/// `#[inline(always)]`, and no vector operation may stand in a closure.
pub(crate) trait Kernel {
    type Output;
    fn run<S: Simd>(self) -> Self::Output;
}

/// Runs the kernel compiled for the level in use.
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    match level() {
        Level::Portable => kernel.run::<Portable>(),
        // SAFETY: `level` is `Avx2` only where the CPU has all that it stands for.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { run_avx2(kernel) },
        #[cfg(not(target_arch = "x86_64"))]
        Level::Avx2 => kernel.run::<Portable>(),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<avx2::Avx2>()
}
