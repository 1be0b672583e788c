//! Two lists of answers to the same questions, and brute force where they differ.

/// How far two rounded answers may lie apart and still be the same.
const SLACK: f64 = 1e-6;

/// The most answers of one list that are checked by brute force.
const TRIED: usize = 32;

/// What differs between two lists of answers.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Differences {
    pub(crate) compared: usize,
    pub(crate) differ: usize,
    pub(crate) most: f64,
    /// How many were checked by brute force, and for how many of those it agreed with us.
    pub(crate) tried: usize,
    pub(crate) ours: usize,
}

impl Differences {
    /// Compares answer by answer. A NaN among their answers counts as no answer; `brute` answers by index.
    pub(crate) fn between(ours: &[f64], theirs: &[f64], brute: impl Fn(usize) -> f64) -> Differences {
        let mut found = Differences::default();
        for (i, (&x, &y)) in ours.iter().zip(theirs).enumerate().filter(|(_, (_, y))| !y.is_nan()) {
            found.compared += 1;
            if (x - y).abs() <= SLACK {
                continue;
            }
            found.differ += 1;
            found.most = found.most.max((x - y).abs());
            if found.tried < TRIED {
                found.tried += 1;
                found.ours += usize::from((x - brute(i)).abs() <= SLACK);
            }
        }
        found
    }

    /// A sentence about the differences; `None` when there are none.
    pub(crate) fn told(&self, question: &str, peer: &str) -> Option<String> {
        let Differences { compared, differ, most, tried, ours } = self;
        (*differ > 0).then(|| {
            format!(
                "{question}: {peer} differs from us on {differ} of {compared}, by up to {most:.1e}; \
                 brute force sides with us on {ours} of {tried}"
            )
        })
    }

    /// How often brute force found us wrong.
    pub(crate) fn against_us(&self) -> usize {
        self.tried - self.ours
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brute_force_decides_what_differs() {
        let (ours, theirs) = ([1.0, 2.0, 3.0, f64::NAN, 5.0], [1.0 + 1e-7, 2.5, 3.5, 4.0, f64::NAN]);
        let found = Differences::between(&ours, &theirs, |i| (i + 1) as f64);
        assert_eq!(found, Differences { compared: 4, differ: 3, most: 0.5, tried: 3, ours: 2 });
        assert!(found.against_us() == 1 && found.told("w2", "coal").is_some_and(|text| text.contains("3 of 4")));
        assert_eq!(Differences::between(&[0.0; 99], &[1.0; 99], |_| 1.0).tried, TRIED);
        assert_eq!(Differences::between(&[0.0], &[0.0], |_| 1.0).told("w2", "coal"), None);
    }
}
