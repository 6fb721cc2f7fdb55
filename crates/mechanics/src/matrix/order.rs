//! In which order groups of degrees of freedom are eliminated, and which blocks that fills.

use std::collections::BTreeSet;

/// Of so many groups the order is found in no time.
const SMALL: usize = 64;

/// Blocks pay where they have less than this part of the entries.
pub(super) const SPARSE: f64 = 0.5;

/// The blocks of a matrix and of its factors, for groups of degrees of freedom.
///
/// Groups with few neighbours go first (minimum degree): in chains and trees of bodies nothing is
/// filled in, and elimination costs as much as there are bodies.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Number of degrees of freedom.
    pub(crate) n: usize,
    /// Degrees of freedom of the groups, in the order of elimination; groups without are left out.
    pub(crate) groups: Vec<std::ops::Range<usize>>,
    /// For every group in this order the later groups that it is coupled with.
    pub(crate) later: Vec<Vec<usize>>,
}

impl Order {
    /// `links[g]` are the groups coupled with g, `sizes[g]` its number of degrees of freedom; the
    /// degrees of freedom of the groups follow each other.
    ///
    /// Groups from `late` on are multipliers of constraints, whose own block is empty: they wait
    /// until nothing is left before them that they are coupled with.
    pub(crate) fn of(links: &[Vec<usize>], sizes: &[usize], late: usize) -> Self {
        let mut firsts = Vec::with_capacity(sizes.len());
        let mut n = 0;
        for size in sizes {
            firsts.push(n);
            n += size;
        }
        let exists = |g: &usize| sizes[*g] > 0;
        let filled = |(g, others): (usize, &Vec<usize>)| {
            sizes[g] * (sizes[g] + others.iter().map(|&o| sizes[o]).sum::<usize>())
        };
        let entries: usize = links.iter().enumerate().map(filled).sum();
        if links.len() > SMALL && entries as f64 >= SPARSE * (n * n) as f64 {
            return Self::dense(n);
        }
        let mut coupled: Vec<BTreeSet<usize>> = links
            .iter()
            .enumerate()
            .map(|(g, others)| {
                let others = others.iter().copied().filter(|&o| o != g && exists(&o));
                others.collect()
            })
            .collect();
        let key = |coupled: &[BTreeSet<usize>], g: usize| {
            let others = &coupled[g];
            let waits = g >= late && others.first().is_some_and(|&first| first < late);
            (waits, others.len(), g)
        };
        let mut waiting: BTreeSet<(bool, usize, usize)> = (0..links.len())
            .filter(exists)
            .map(|g| key(&coupled, g))
            .collect();
        let mut place = vec![usize::MAX; links.len()];
        let mut sequence = Vec::with_capacity(waiting.len());
        let mut later = Vec::with_capacity(waiting.len());
        while let Some((_, _, group)) = waiting.pop_first() {
            let others = std::mem::take(&mut coupled[group]);
            for &other in &others {
                waiting.remove(&key(&coupled, other));
                coupled[other].extend(others.iter().filter(|&&o| o != other));
                coupled[other].remove(&group);
                waiting.insert(key(&coupled, other));
            }
            place[group] = sequence.len();
            sequence.push(group);
            later.push(others.into_iter().collect::<Vec<_>>());
        }
        for others in &mut later {
            for other in &mut *others {
                *other = place[*other];
            }
            others.sort_unstable();
        }
        let groups = sequence
            .iter()
            .map(|&g| firsts[g]..firsts[g] + sizes[g])
            .collect();
        Self { n, groups, later }
    }

    /// All coupled with all.
    fn dense(n: usize) -> Self {
        let groups: Vec<_> = std::iter::once(0..n)
            .filter(|all| !all.is_empty())
            .collect();
        let later = vec![Vec::new(); groups.len()];
        Self { n, groups, later }
    }

    /// Number of entries that the factors have.
    pub(crate) fn entries(&self) -> usize {
        let size = |k: usize| self.groups[k].len();
        (0..self.groups.len())
            .map(|k| {
                size(k) * (size(k) + 2 * self.later[k].iter().map(|&j| size(j)).sum::<usize>())
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(pairs: &[(usize, usize)], groups: usize) -> Vec<Vec<usize>> {
        let mut links = vec![Vec::new(); groups];
        for &(a, b) in pairs {
            links[a].push(b);
            links[b].push(a);
        }
        links
    }

    #[test]
    fn a_tree_is_eliminated_without_fill() {
        // three chains of three that meet in group 0; an edge gives two blocks, a group one
        let pairs = [
            (0, 1),
            (1, 2),
            (2, 3),
            (0, 4),
            (4, 5),
            (5, 6),
            (0, 7),
            (7, 8),
            (8, 9),
        ];
        let order = Order::of(&links(&pairs, 10), &[6; 10], 10);
        assert_eq!(order.entries(), 36 * (10 + 2 * 9));
    }

    #[test]
    fn a_ring_fills_in_what_its_elimination_couples() {
        let pairs = [(0, 1), (1, 2), (2, 3), (3, 0)];
        let order = Order::of(&links(&pairs, 4), &[1; 4], 4);
        // taking one out couples its two neighbours: one edge more than the ring has
        assert_eq!(order.entries(), 4 + 2 * 5);
    }

    #[test]
    fn multipliers_wait_for_all_that_they_tie() {
        // a chain of four whose ends group 4 ties: by degree it would go among the first
        let pairs = [(0, 1), (1, 2), (2, 3), (4, 0), (4, 3)];
        let order = Order::of(&links(&pairs, 5), &[2, 2, 2, 2, 1], 4);
        assert_eq!(order.groups.last(), Some(&(8..9)));
    }

    #[test]
    fn groups_without_degrees_of_freedom_are_left_out() {
        let order = Order::of(&links(&[(0, 1), (1, 2)], 3), &[2, 0, 3], 3);
        assert_eq!((order.n, order.groups.len()), (5, 2));
        assert!(
            order.later.iter().all(Vec::is_empty),
            "coupled through nothing"
        );
    }
}
