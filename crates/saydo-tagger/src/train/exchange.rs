//! Groups words by the company they keep: the exchange algorithm of Kneser and Ney (1993). Each word in turn moves to the
//! class in which a model of neighboring classes makes the text most likely; a few rounds settle it.

/// Words by number; 0 stands for the edges of a line and 1 for rare words, and both keep classes of their own.
pub(super) const RESERVED: usize = 2;

/// How often one word follows another.
#[derive(Default)]
pub(super) struct Neighbors {
    /// For each word, the words after it with counts; a word after itself is counted in `doubled` instead.
    after: Vec<Vec<(u32, i64)>>,
    before: Vec<Vec<(u32, i64)>>,
    doubled: Vec<i64>,
    count: Vec<i64>,
}

impl Neighbors {
    /// Counts over the pairs of neighbors in a text of `words` different words.
    pub(super) fn new(mut pairs: Vec<(u32, u32)>, words: usize) -> Neighbors {
        pairs.sort_unstable();
        let mut neighbors = Neighbors {
            after: vec![Vec::new(); words],
            before: vec![Vec::new(); words],
            doubled: vec![0; words],
            count: vec![0; words],
        };
        for same in pairs.chunk_by(|a, b| a == b) {
            let ((left, right), count) = (same[0], same.len() as i64);
            neighbors.count[left as usize] += count;
            if left == right {
                neighbors.doubled[left as usize] = count;
            } else {
                neighbors.after[left as usize].push((right, count));
                neighbors.before[right as usize].push((left, count));
            }
        }
        neighbors
    }
}

/// The class of every word, counted from 0; classes beyond `classes` are those of the reserved words.
pub(super) fn classes(neighbors: &Neighbors, classes: usize, rounds: usize) -> Vec<usize> {
    let words = neighbors.count.len();
    let start = |word: usize| if word < RESERVED { classes + word } else { (word - RESERVED) % classes };
    let mut exchange = Exchange::new(neighbors, (0..words).map(start).collect(), classes);
    for _ in 0..rounds {
        let moved = (RESERVED..words).filter(|word| exchange.settle(*word)).count();
        if moved * 200 < words {
            break;
        }
    }
    exchange.class_of
}

struct Exchange<'a> {
    neighbors: &'a Neighbors,
    class_of: Vec<usize>,
    /// Classes that words may move to.
    open: usize,
    /// All classes: the open ones and those of the reserved words.
    total: usize,
    /// How often a class (row) is followed by a class (column), row after row.
    pairs: Vec<i64>,
    sizes: Vec<i64>,
    /// n ln n for small n, which would otherwise take most of the time.
    entropies: Vec<f64>,
}

/// How one word is connected to classes.
struct Links {
    before: Vec<i64>,
    after: Vec<i64>,
    /// The classes it is connected to.
    near: Vec<usize>,
}

impl<'a> Exchange<'a> {
    fn new(neighbors: &'a Neighbors, class_of: Vec<usize>, open: usize) -> Exchange<'a> {
        let total = open + RESERVED;
        let mut pairs = vec![0; total * total];
        let mut sizes = vec![0; total];
        for (word, class) in class_of.iter().copied().enumerate() {
            sizes[class] += neighbors.count[word];
            pairs[class * total + class] += neighbors.doubled[word];
            for (other, count) in &neighbors.after[word] {
                pairs[class * total + class_of[*other as usize]] += count;
            }
        }
        let entropies = (0..1 << 20).map(entropy).collect();
        Exchange { neighbors, class_of, open, total, pairs, sizes, entropies }
    }

    /// Moves a word to its best class; whether that is a new one.
    fn settle(&mut self, word: usize) -> bool {
        let links = self.links(word);
        let old = self.class_of[word];
        self.shift(word, &links, old, -1);
        let mut best = (old, self.gain(word, &links, old));
        for class in (0..self.open).filter(|class| *class != old) {
            let gain = self.gain(word, &links, class);
            if gain > best.1 + 1e-9 {
                best = (class, gain);
            }
        }
        self.shift(word, &links, best.0, 1);
        self.class_of[word] = best.0;
        best.0 != old
    }

    fn links(&self, word: usize) -> Links {
        let mut links = Links { before: vec![0; self.total], after: vec![0; self.total], near: Vec::new() };
        for (other, count) in &self.neighbors.before[word] {
            links.before[self.class_of[*other as usize]] += count;
        }
        for (other, count) in &self.neighbors.after[word] {
            links.after[self.class_of[*other as usize]] += count;
        }
        links.near = (0..self.total).filter(|class| links.before[*class] + links.after[*class] > 0).collect();
        links
    }

    /// Puts the word's counts into a class, or with a sign of -1 takes them out.
    fn shift(&mut self, word: usize, links: &Links, class: usize, sign: i64) {
        for near in &links.near {
            self.pairs[class * self.total + near] += sign * links.after[*near];
            self.pairs[near * self.total + class] += sign * links.before[*near];
        }
        self.pairs[class * self.total + class] += sign * self.neighbors.doubled[word];
        self.sizes[class] += sign * self.neighbors.count[word];
    }

    /// By how much the log-likelihood grows if the word, now in no class, joins this one.
    fn gain(&self, word: usize, links: &Links, class: usize) -> f64 {
        let entropy = |count: i64| self.entropies.get(count as usize).copied().unwrap_or_else(|| entropy(count));
        let growth = |count: i64, more: i64| if more == 0 { 0.0 } else { entropy(count + more) - entropy(count) };
        let mut gain = -2.0 * growth(self.sizes[class], self.neighbors.count[word]);
        for near in links.near.iter().copied().filter(|near| *near != class) {
            gain += growth(self.pairs[class * self.total + near], links.after[near]);
            gain += growth(self.pairs[near * self.total + class], links.before[near]);
        }
        let inside = links.before[class] + links.after[class] + self.neighbors.doubled[word];
        gain + growth(self.pairs[class * self.total + class], inside)
    }
}

fn entropy(count: i64) -> f64 {
    let count = count as f64;
    if count > 0.0 { count * count.ln() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_the_same_places_share_a_class() {
        // the/a (2, 3) come before dog/cat (4, 5), which end the line.
        let lines = [[2, 4], [3, 4], [2, 5], [3, 5], [2, 4], [3, 5]];
        let pairs = lines.iter().flat_map(|[a, b]| [(0, *a), (*a, *b), (*b, 0)]).collect();
        let found = classes(&Neighbors::new(pairs, 6), 2, 10);
        assert_eq!(found[2], found[3]);
        assert_eq!(found[4], found[5]);
        assert_ne!(found[2], found[4]);
        assert_eq!(found[..2], [2, 3], "reserved words keep their own classes");
    }
}
