//! Files cut off at every byte and files with random damage: no panic, and no shorter mesh passed off as whole.

use super::samples::{all, check};

#[test]
fn every_prefix_is_an_error_or_the_whole() {
    for (name, bytes, detectable) in all() {
        let whole = check(&bytes, name).unwrap_or_else(|| panic!("{name} must be readable"));
        for len in 0..bytes.len() {
            if let Some(document) = check(&bytes[..len], name).filter(|_| detectable) {
                let missing = &bytes[len..];
                let harmless = missing.iter().all(u8::is_ascii_whitespace) || name == "ascii.stl";
                assert!(harmless, "{name} cut off at byte {len} is accepted");
                let same =
                    |a: &impinge_io::Part, b: &impinge_io::Part| a.vertices == b.vertices && a.triangles == b.triangles;
                assert!(document.parts.iter().zip(&whole.parts).all(|(a, b)| same(a, b)), "{name} cut off at {len}");
            }
        }
    }
}

#[test]
fn obj_cut_within_a_statement() {
    for cut in ["v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nv 1 0", "v 0 0 0\nf"] {
        assert!(check(cut.as_bytes(), "cut.obj").is_none(), "{cut:?}");
    }
}

struct Random(u64);

impl Random {
    /// xorshift64*
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

const WORDS: &[&[u8]] = &[
    b"-1",
    b"0",
    b"4294967295",
    b"4294967296",
    b"99999999999999999999",
    b"1e308",
    b"1e999",
    b"nan",
    b"\n",
    b" ",
    b"\"",
    b"{",
    b"]",
    b"\xff\xff\xff\xff",
    b"\0\0\0\0",
    b"\0\0\xc0\x7f",
    b"\\\n",
];

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, random.below(256) as u8),
            4 => drop(bytes.splice(at..at, WORDS[random.below(WORDS.len())].iter().copied())),
            _ => {
                let word = WORDS[random.below(WORDS.len())];
                let end = (at + word.len()).min(bytes.len());
                drop(bytes.splice(at..end, word.iter().copied()));
            }
        }
        if bytes.is_empty() {
            return;
        }
    }
}

#[test]
fn random_damage() {
    for (name, bytes, _) in all() {
        let mut random = Random(0x1234_5678_9abc_def1);
        let mut refused = 0;
        for _ in 0..10_000 {
            let mut damaged = bytes.clone();
            damage(&mut damaged, &mut random);
            refused += usize::from(check(&damaged, name).is_none());
        }
        assert!(refused > 1000, "{name}: only {refused} of 10000 damaged files were refused");
    }
}
