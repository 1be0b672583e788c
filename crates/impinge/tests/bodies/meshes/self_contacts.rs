//! A mesh against itself: every pair of triangles that touch, no pair twice, neighbours left out or told apart.

use std::time::{Duration, Instant};

use glam::DVec3;
use impinge::{Limit, Mesh, Neighbours, Pair, Pose, SelfContacts};
use impinge_testing::random::Random;
use impinge_testing::shapes::{copies, cuboid, grid, ring, sphere, torus};
use impinge_testing::soup::{Soup, meet, meeting_pairs};

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

/// Corners at equal positions, each position once.
fn shared(a: &[DVec3; 3], b: &[DVec3; 3]) -> Vec<DVec3> {
    let mut both: Vec<DVec3> = a.iter().copied().filter(|p| b.contains(p)).collect();
    both.dedup();
    if both.len() == 3 && both[0] == both[2] {
        both.pop();
    }
    both
}

fn brute(soup: &Soup, mut touch: impl FnMut(&[DVec3; 3], &[DVec3; 3]) -> bool) -> Vec<[u32; 2]> {
    let t = soup.corners();
    let mut pairs = Vec::new();
    for i in 0..t.len() {
        for j in i + 1..t.len() {
            if touch(&t[i], &t[j]) {
                pairs.push([i as u32, j as u32]);
            }
        }
    }
    pairs
}

/// Triangles without a common corner that touch.
fn strangers(soup: &Soup) -> Vec<[u32; 2]> {
    brute(soup, |a, b| shared(a, b).is_empty() && meet(a, b))
}

/// Draws a random soup on a small grid, so that triangles touch, share corners and lie in one plane.
fn rubble(random: &mut Random, n: usize, reach: i64) -> Soup {
    let vertices: Vec<DVec3> = (0..3 * n).map(|_| random.grid_point(reach)).collect();
    let mut corner = || random.below(3 * n as u64) as u32;
    Soup { triangles: (0..n).map(|_| [corner(), corner(), corner()]).collect(), vertices }
}

fn assert_all(soup: &Soup) -> SelfContacts {
    let found = mesh(soup).self_contacts(Limit::All);
    assert_eq!(found.pairs, strangers(soup));
    assert!(found.complete && found.touching() != found.pairs.is_empty());
    found
}

#[test]
fn random_soups_as_by_brute_force() {
    let mut random = Random::new(19);
    let mut touching = 0;
    for round in 0..60 {
        let soup = rubble(&mut random, 4 + 2 * round, 3 + (round / 10) as i64);
        touching += assert_all(&soup).pairs.len();
        assert_all(&soup.map(|p| p * 1e-300));
        assert_all(&soup.map(|p| p * 1e140));
    }
    assert!(touching > 1000, "only {touching}");
}

#[test]
fn simple_surfaces_do_not_touch_themselves() {
    for soup in [
        sphere(3, 1.0),
        torus(1.0, 0.3, 20, 12),
        grid(12, 0.5),
        ring(30, 2.0, 1.0, 1.0),
        cuboid(DVec3::ZERO, DVec3::ONE),
    ] {
        for neighbours in [Neighbours::LeftOut, Neighbours::Folded] {
            let found = mesh(&soup).self_contacts_with(Limit::All, neighbours);
            assert!(!found.touching() && found.complete && found.stats.volume_tests > 0);
        }
    }
    let none = Mesh::empty().self_contacts(Limit::All);
    assert!(none.pairs.is_empty() && none.complete);
}

#[test]
fn crossing_bodies_cross_where_a_pair_of_them_does() {
    let (a, b) = (sphere(2, 1.0), torus(1.0, 0.35, 14, 9));
    let base = a.triangles.len() as u32;
    let expected: Vec<[u32; 2]> = meeting_pairs(&a, &b).into_iter().map(|[i, j]| [i, j + base]).collect();
    assert!(expected.len() > 20);
    let found = mesh(&a.clone().and(&b)).self_contacts(Limit::All);
    assert_eq!(found.pairs, expected);
    // A deformed mesh answers the same way.
    let both = a.and(&b);
    let apart = Soup {
        vertices: both.vertices.iter().enumerate().map(|(i, &p)| p + DVec3::X * (5 * (i / 66)) as f64).collect(),
        ..both.clone()
    };
    let mut body = mesh(&apart);
    body.deform(&both.vertices).unwrap();
    assert_eq!(body.self_contacts(Limit::All).pairs, expected);
}

/// The triangle without the parts within a thousandth of the corners that it shares: two triangles.
fn far_part(t: &[DVec3; 3], shared: &[DVec3]) -> Vec<[DVec3; 3]> {
    let others: Vec<DVec3> = t.iter().copied().filter(|p| !shared.contains(p)).collect();
    let toward = |p: DVec3, q: DVec3| p + (q - p) / 1024.0;
    match (shared, &others[..]) {
        (&[p], &[x, y]) => {
            let (nx, ny) = (toward(p, x), toward(p, y));
            vec![[x, y, ny], [x, nx, ny]]
        }
        (&[p, q], &[x]) => vec![[x, toward(p, x), toward(q, x)]],
        _ => Vec::new(),
    }
}

fn has_area(t: &[DVec3; 3]) -> bool {
    (t[1] - t[0]).cross(t[2] - t[0]) != DVec3::ZERO
}

#[test]
fn neighbours_are_listed_where_they_fold() {
    let mut random = Random::new(23);
    let [mut folded, mut unfolded] = [0, 0];
    for round in 0..80 {
        let mut soup = rubble(&mut random, 40, 2 + round % 3);
        let triangles: Vec<[u32; 3]> =
            (0..40).filter(|&i| has_area(&soup.triangle(i))).map(|i| soup.triangles[i]).collect();
        soup.triangles = triangles;
        let expected = brute(&soup, |a, b| {
            let shared = shared(a, b);
            match shared.len() {
                0 => meet(a, b),
                3 => true,
                _ => {
                    let far = |t: &[DVec3; 3], u: &[DVec3; 3]| far_part(t, &shared).iter().any(|t| meet(t, u));
                    let folds = far(a, b) || far(b, a);
                    *(if folds { &mut folded } else { &mut unfolded }) += 1;
                    folds
                }
            }
        });
        let found = mesh(&soup).self_contacts_with(Limit::All, Neighbours::Folded);
        assert_eq!(found.pairs, expected);
    }
    assert!(folded > 500 && unfolded > 500, "{folded} {unfolded}");
}

#[test]
fn a_limit_lists_some_of_them() {
    let soup = rubble(&mut Random::new(29), 60, 2);
    let (body, all) = (mesh(&soup), strangers(&soup));
    assert!(all.len() > 50);
    for (limit, count) in
        [(Limit::First, 1), (Limit::UpTo(7), 7), (Limit::UpTo(0), 0), (Limit::UpTo(all.len()), all.len())]
    {
        let found = body.self_contacts(limit);
        assert!(found.pairs.len() == count && !found.complete);
        assert!(
            found.pairs.windows(2).all(|w| w[0] < w[1]) && found.pairs.iter().all(|p| all.binary_search(p).is_ok())
        );
    }
    let found = body.self_contacts(Limit::UpTo(all.len() + 1));
    assert!(found.pairs == all && found.complete);
}

#[test]
fn a_million_copies_of_one_triangle() {
    let body = mesh(&copies(1_000_000, [DVec3::ZERO, DVec3::X, DVec3::Y]));
    let start = Instant::now();
    let found = body.self_contacts(Limit::All);
    assert!(found.pairs.is_empty() && found.complete);
    let found = body.self_contacts_with(Limit::UpTo(1000), Neighbours::Folded);
    assert!(found.pairs.len() == 1000 && !found.complete && found.pairs[0] == [0, 1]);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());

    // Copies that cross another triangle are all named.
    let soup = copies(300, [DVec3::ZERO, DVec3::X, DVec3::Y])
        .and(&copies(2, [DVec3::new(0.2, 0.2, -1.0), DVec3::new(0.2, 0.2, 1.0), DVec3::new(0.3, 0.2, 1.0)]));
    let expected: Vec<[u32; 2]> = (0..300).flat_map(|i| [[i, 300], [i, 301]]).collect();
    assert_eq!(mesh(&soup).self_contacts(Limit::All).pairs, expected);
}

#[test]
fn threads_change_nothing_and_large_meshes_agree_with_a_pair_of_them() {
    // A torus that passes through itself twice, and coarse pieces across it.
    let mut random = Random::new(31);
    let soup = torus(2.0, 0.7, 160, 80).map(|p| DVec3::new(p.x, p.y * p.x, p.z + 0.3 * p.x * p.y));
    let soup = soup.and(&Soup {
        vertices: (0..600).map(|_| random.point(2.0)).collect(),
        triangles: (0..200).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
    });
    let run = |threads: usize, limit: Limit| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| mesh(&soup).self_contacts(limit))
    };
    let body = mesh(&soup);
    let corners = soup.corners();
    let pairs = Pair::new(body.clone(), body).contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All).pairs;
    let apart = |&&[i, j]: &&[u32; 2]| i < j && shared(&corners[i as usize], &corners[j as usize]).is_empty();
    let expected: Vec<[u32; 2]> = pairs.iter().filter(apart).copied().collect();
    assert!(expected.len() > 20_000, "{}", expected.len());
    let one_thread = run(1, Limit::All);
    assert!(one_thread.pairs == expected && one_thread.complete);
    // More than one thread is used only for a large limit; this one is smaller than the number of pairs.
    let some = run(1, Limit::UpTo(17_000));
    assert!(some.pairs.len() == 17_000 && !some.complete);
    for threads in [2, 5] {
        assert!(run(threads, Limit::All) == one_thread);
        assert!(run(threads, Limit::UpTo(17_000)).pairs == some.pairs);
    }
}
