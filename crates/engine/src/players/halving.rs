//! Sequential halving: finds the best of several candidates in a limited number of trials.

/// The trials of candidates. Each trial has a number. Trials with the same number have the same
/// luck for all candidates.
pub(super) struct Halving {
    budget: u32,
    /// The results of each candidate's trials, in the order of the trial numbers.
    values: Vec<Vec<f64>>,
    alive: Vec<usize>,
    /// The number of trials that each remaining candidate has at the end of this stage.
    goal: usize,
    stages: u32,
    left: u32,
}

impl Halving {
    /// Begins with this number of candidates and this total number of trials. The first candidate
    /// is the usual one.
    pub(super) fn new(candidates: usize, budget: u32) -> Self {
        let stages = usize::BITS - candidates.saturating_sub(1).leading_zeros();
        let mut halving = Self {
            budget,
            values: vec![Vec::new(); candidates],
            alive: (0..candidates).collect(),
            goal: 0,
            stages: stages.max(1),
            left: budget,
        };
        halving.set_goal();
        halving
    }

    pub(super) const fn budget(&self) -> u32 {
        self.budget
    }

    fn set_goal(&mut self) {
        let share = self.budget / self.stages / self.alive.len().max(1) as u32;
        self.goal += share.max(1) as usize;
    }

    /// Returns the next candidate and the number of its trial, or `None` when the trials are used
    /// up.
    pub(super) fn next(&mut self) -> Option<(usize, usize)> {
        loop {
            let wants = |&&which: &&usize| self.values[which].len() < self.goal;
            if let Some(&which) = self.alive.iter().find(wants) {
                self.left = self.left.checked_sub(1)?;
                return Some((which, self.values[which].len()));
            }
            if self.alive.len() <= 1 {
                return None;
            }
            self.halve();
        }
    }

    pub(super) fn add(&mut self, which: usize, value: f64) {
        self.values[which].push(value);
    }

    /// Keeps the better half of the candidates, and also the usual candidate for comparison.
    fn halve(&mut self) {
        let values = &self.values;
        let mean = |which: &usize| mean(&values[*which]);
        self.alive
            .sort_by(|a, b| mean(b).total_cmp(&mean(a)).then(a.cmp(b)));
        let kept = self.alive.len().div_ceil(2);
        let usual = self.alive[kept..].contains(&0);
        self.alive.truncate(kept);
        if usual && kept == 1 {
            // The comparison is over: either the last candidate beats the usual candidate, or none
            // does.
            self.alive.truncate(1);
        } else if usual {
            self.alive[kept - 1] = 0;
        }
        self.set_goal();
    }

    /// Returns the best candidate. This is the usual candidate unless another is better by `margin`
    /// standard errors of the difference, in the trials that both have had.
    pub(super) fn best(&self, margin: f64) -> usize {
        let means = self.values.iter().map(|values| mean(values));
        let all = self
            .alive
            .iter()
            .map(|&which| (which, means.clone().nth(which)));
        let best = all
            .max_by(|a, b| {
                a.1.unwrap_or(0.0)
                    .total_cmp(&b.1.unwrap_or(0.0))
                    .then(b.0.cmp(&a.0))
            })
            .map_or(0, |(which, _)| which);
        let pairs = self.values[best].iter().zip(&self.values[0]);
        let gains: Vec<f64> = pairs.map(|(one, usual)| one - usual).collect();
        let gain = mean(&gains);
        let squares = gains.iter().map(|it| (it - gain) * (it - gain));
        let count = gains.len() as f64;
        let error = (squares.sum::<f64>() / (count * (count - 1.0)).max(1.0)).sqrt();
        if best != 0 && gains.len() > 1 && gain > margin * error {
            best
        } else {
            0
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
