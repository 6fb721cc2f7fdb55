//! An order of the degrees of freedom that makes the matrix a narrow band.

use std::collections::VecDeque;

/// Place of every degree of freedom in the band.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) places: Vec<usize>,
    /// Largest distance of two coupled places.
    pub(crate) half_width: usize,
}

impl Order {
    /// The reverse Cuthill–McKee order of groups of degrees of freedom.
    ///
    /// `links[g]` are the groups coupled with g, `sizes[g]` its number of degrees of freedom; the
    /// degrees of freedom of the groups follow each other.
    pub(crate) fn of(links: &[Vec<usize>], sizes: &[usize]) -> Self {
        let mut sequence = cuthill_mckee(links);
        sequence.reverse();
        let mut firsts = vec![0; links.len()];
        let mut next = 0;
        for &group in &sequence {
            firsts[group] = next;
            next += sizes[group];
        }
        let mut half_width = sizes.iter().copied().max().unwrap_or(1).saturating_sub(1);
        for (group, others) in links.iter().enumerate() {
            for &other in others {
                let (a, b) = (firsts[group], firsts[other]);
                if b >= a && sizes[other] > 0 && sizes[group] > 0 {
                    half_width = half_width.max(b + sizes[other] - 1 - a);
                }
            }
        }
        let places = firsts
            .iter()
            .zip(sizes)
            .flat_map(|(&first, &size)| first..first + size)
            .collect();
        Self { places, half_width }
    }
}

/// Groups level by level from an end of every connected part.
fn cuthill_mckee(links: &[Vec<usize>]) -> Vec<usize> {
    let n = links.len();
    let mut sequence = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    for any in 0..n {
        if seen[any] {
            continue;
        }
        // a group far from a group far from any: near an end of the part
        let start = farthest(links, farthest(links, any));
        let mut queue = VecDeque::from([start]);
        seen[start] = true;
        while let Some(group) = queue.pop_front() {
            sequence.push(group);
            let mut next: Vec<usize> = links[group].iter().copied().filter(|&g| !seen[g]).collect();
            next.sort_unstable_by_key(|&g| (links[g].len(), g));
            next.dedup();
            for g in next {
                seen[g] = true;
                queue.push_back(g);
            }
        }
    }
    sequence
}

/// The last group of a breadth-first search, with the fewest links among the last level.
fn farthest(links: &[Vec<usize>], start: usize) -> usize {
    let mut level = vec![usize::MAX; links.len()];
    level[start] = 0;
    let mut queue = VecDeque::from([start]);
    let mut best = start;
    while let Some(group) = queue.pop_front() {
        let key = |g: usize| (level[g], usize::MAX - links[g].len());
        if key(group) > key(best) {
            best = group;
        }
        for &other in &links[group] {
            if level[other] == usize::MAX {
                level[other] = level[group] + 1;
                queue.push_back(other);
            }
        }
    }
    best
}
