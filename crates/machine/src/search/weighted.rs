//! Draws by weight.

use ndscript_base::rng::Rng;
use ndscript_base::room::row;
use ndscript_heap::Value;

/// Elements that are drawn by weight, each once. The weights are summed up in blocks, so that a draw reads only the
/// sums and two blocks; sums are computed anew, so that rounding errors do not accumulate.
#[derive(Clone, Debug)]
pub struct Weighted {
    elements: Vec<(Value, f64)>,
    /// The sum of the weights of each block.
    sums: Vec<f64>,
}

/// Elements of a block.
const BLOCK: usize = 256;

/// Sums stay where they are precise enough and finite: a total below this is scaled up, one above its inverse down.
const LEAST_TOTAL: f64 = 1e-280;
const UP: f64 = (1_u128 << 127) as f64 * (1_u64 << 63) as f64;
const DOWN: f64 = 1.0 / (1_u128 << 80) as f64;

impl Weighted {
    /// Without elements yet, with capacity for `count`.
    pub fn with_room_for(count: usize) -> Weighted {
        Weighted {
            elements: Vec::with_capacity(count),
            sums: Vec::with_capacity(count.div_ceil(BLOCK)),
        }
    }

    /// The bytes of `count` elements.
    pub fn bytes_for(count: usize) -> usize {
        count.saturating_mul(size_of::<(Value, f64)>() + 1)
    }

    /// Adds an element.
    pub fn add(&mut self, element: Value, weight: f64) {
        match self.sums.last_mut() {
            Some(sum) if !self.elements.len().is_multiple_of(BLOCK) => *sum += weight,
            _ => self.sums.push(weight),
        }
        self.elements.push((element, weight));
    }

    /// Of these elements.
    fn of(elements: Vec<(Value, f64)>) -> Weighted {
        let sums = elements.chunks(BLOCK).map(sum).collect();
        Weighted { elements, sums }
    }

    /// The remaining elements.
    pub fn elements(&self) -> &[(Value, f64)] {
        &self.elements
    }

    /// How many elements a draw looks at.
    pub fn visits(&self) -> usize {
        self.sums.len() + 2 * self.elements.len().min(BLOCK)
    }

    /// Takes the next element: proportional to weight, those of weight 0 after all others.
    pub fn draw(&mut self, rng: &mut Rng) -> Option<Value> {
        let mut total: f64 = self.sums.iter().sum();
        if total.is_infinite() || total > 0.0 && total < LEAST_TOTAL {
            self.scale(if total.is_infinite() { DOWN } else { UP });
            total = self.sums.iter().sum();
        }
        let at = if total > 0.0 {
            self.find(rng.unit() * total)?
        } else if self.elements.is_empty() {
            return None;
        } else {
            rng.below(self.elements.len() as u64) as usize
        };
        Some(self.take(at))
    }

    /// Multiplies all weights by a power of two, which preserves their proportions.
    fn scale(&mut self, by: f64) {
        self.elements.iter_mut().for_each(|element| element.1 *= by);
        self.sums = self.elements.chunks(BLOCK).map(sum).collect();
    }

    /// Takes the element at a place that there is.
    pub fn take(&mut self, at: usize) -> Value {
        let element = self.elements.swap_remove(at).0;
        let last = self.elements.len();
        self.sums.truncate(last.div_ceil(BLOCK));
        for block in [at / BLOCK, last / BLOCK] {
            if let Some(sum_of_block) = self.sums.get_mut(block) {
                let end = last.min((block + 1) * BLOCK);
                *sum_of_block = sum(&self.elements[block * BLOCK..end]);
            }
        }
        element
    }

    /// The first element up to which the weights add up to more than a number; the last with a weight if there is
    /// none, which rounding may cause.
    fn find(&self, mut rest: f64) -> Option<usize> {
        for (block, of_block) in self.sums.iter().enumerate() {
            if rest >= *of_block {
                rest -= of_block;
                continue;
            }
            let elements = self.elements[block * BLOCK..].iter().take(BLOCK);
            for (at, (_, weight)) in elements.enumerate() {
                rest -= weight;
                if *weight > 0.0 && rest < 0.0 {
                    return Some(block * BLOCK + at);
                }
            }
        }
        self.elements.iter().rposition(|element| element.1 > 0.0)
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        row(&self.elements) + row(&self.sums)
    }
}

fn sum(elements: &[(Value, f64)]) -> f64 {
    elements.iter().map(|element| element.1).sum()
}

impl ndscript_base::codec::Saved for Weighted {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Weighted { elements, sums: _ } = self;
        elements.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Weighted, ndscript_base::codec::Unsound> {
        Ok(Weighted::of(Vec::load(from)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_comes_once_and_those_without_weight_last() {
        let mut rng = Rng::new(4);
        for count in [1_i64, 5, 256, 257, 1_000] {
            let elements = (0..count)
                .map(|at| (Value::integer(at), (at % 3) as f64))
                .collect();
            let mut weighted = Weighted::of(elements);
            let drawn: Vec<i64> =
                std::iter::from_fn(|| weighted.draw(&mut rng)?.as_integer()).collect();
            let weightless = drawn
                .iter()
                .position(|at| at % 3 == 0)
                .unwrap_or(drawn.len());
            assert!(
                drawn[weightless..].iter().all(|at| at % 3 == 0),
                "{drawn:?}"
            );
            let mut sorted = drawn;
            sorted.sort_unstable();
            assert_eq!(sorted, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn weights_of_any_size_keep_their_proportions() {
        let mut rng = Rng::new(11);
        for (one, other) in [
            (1e308, 1e308),
            (5e-324, 5e-324),
            (f64::MAX, f64::MAX),
            (1e-300, 1e-300),
        ] {
            let mut first = 0;
            for _ in 0..3000 {
                let elements = vec![
                    (Value::integer(0), one),
                    (Value::integer(1), other),
                    (Value::integer(2), one),
                ];
                if Weighted::of(elements).draw(&mut rng) == Some(Value::integer(0)) {
                    first += 1;
                }
            }
            assert!((900..1100).contains(&first), "{one:e}: {first} of 3000");
        }
    }

    #[test]
    fn the_first_comes_by_its_weight() {
        let mut rng = Rng::new(5);
        let elements: Vec<(Value, f64)> = (0..600)
            .map(|at| (Value::integer(at), [1.0, 3.0][at as usize / 300]))
            .collect();
        let mut late = 0;
        for _ in 0..4_000 {
            let first = Weighted::of(elements.clone()).draw(&mut rng).unwrap();
            late += usize::from(first.as_integer().unwrap() >= 300);
        }
        assert!(
            (2_850..3_150).contains(&late),
            "{late} of 4000, where 3000 are expected"
        );
    }
}
