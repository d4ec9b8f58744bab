//! The lengths of searches between restarts, such that no run is much worse than with the best length.

/// The n-th number, from 1, of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas
/// algorithms", 1993).
///
/// ```
/// use ndscript_base::luby::luby;
/// let first: Vec<u64> = (1..=7).map(luby).collect();
/// assert_eq!(first, [1, 1, 2, 1, 1, 2, 4]);
/// ```
pub fn luby(mut number: u64) -> u64 {
    loop {
        // The sequence up to a power of two less one ends with half of that power.
        let power = (number + 1).next_power_of_two();
        if power == number + 1 {
            return power / 2;
        }
        number -= power / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_sequence_is_that_of_luby() {
        let first: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
