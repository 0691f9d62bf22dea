//! Choices among alternatives and their log-likelihood. The models of winners and places
//! share this module.
//!
//! Alternative a is chosen with the probability exp(u_a)/Σ exp(u), where u_a = Σ x·parameter over
//! the alternative's terms (McFadden 1974). If several alternatives share a choice, each counts
//! with its part of the credit.

use crate::matrix::SquareMatrix;
use crate::moments::sum;
use crate::newton::Likelihood;

/// A term of an alternative's utility: the index of a parameter and its factor.
pub(crate) type Term = (usize, f64);

#[derive(Default)]
pub(crate) struct Choices {
    parameters: usize,
    /// The number of terms of each alternative.
    width: usize,
    terms: Vec<Term>,
    credits: Vec<f64>,
    /// The end of each choice in the list of alternatives.
    choices: Vec<usize>,
    /// The end of each block in the list of choices.
    blocks: Vec<usize>,
}

impl Choices {
    pub(crate) fn new(parameters: usize, width: usize) -> Self {
        Self {
            parameters,
            width,
            ..Self::default()
        }
    }

    /// Adds an alternative with `width` terms to the unfinished choice.
    pub(crate) fn add_alternative(&mut self, terms: &[Term], credit: f64) {
        debug_assert_eq!(terms.len(), self.width);
        self.terms.extend_from_slice(terms);
        self.credits.push(credit);
    }

    pub(crate) fn end_choice(&mut self) {
        self.choices.push(self.credits.len());
    }

    pub(crate) fn end_block(&mut self) {
        self.blocks.push(self.choices.len());
    }

    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the log-likelihood of all choices minus `precision`·Σ parameter²/2.
    pub(crate) fn likelihood(&self, parameters: &[f64], precision: f64) -> Likelihood {
        let mut value = 0.0;
        let mut gradient = vec![0.0; self.parameters];
        let mut information = SquareMatrix::zero(self.parameters);
        for choice in 0..self.choices.len() {
            let odds = self.odds(choice, parameters);
            value += odds.value;
            self.add_score(&odds, &mut gradient);
            self.add_information(&odds, &mut information);
        }
        for (index, parameter) in parameters.iter().enumerate() {
            value -= 0.5 * precision * parameter * parameter;
            gradient[index] -= precision * parameter;
            information.add(index, index, precision);
        }
        Likelihood {
            value,
            gradient,
            information,
        }
    }

    /// Returns the first derivatives of each block's log-likelihood, without a penalty.
    pub(crate) fn scores(&self, parameters: &[f64]) -> Vec<Vec<f64>> {
        let mut scores = Vec::with_capacity(self.blocks.len());
        let mut begin = 0;
        for end in &self.blocks {
            let mut score = vec![0.0; self.parameters];
            for choice in begin..*end {
                self.add_score(&self.odds(choice, parameters), &mut score);
            }
            begin = *end;
            scores.push(score);
        }
        scores
    }

    fn odds(&self, choice: usize, parameters: &[f64]) -> FittedChoice {
        let begin = if choice == 0 {
            0
        } else {
            self.choices[choice - 1]
        };
        let end = self.choices[choice];
        let utilities: Vec<f64> = (begin..end)
            .map(|alternative| {
                let terms = self.terms_of(alternative);
                sum(terms.iter().map(|(index, x)| x * parameters[*index]))
            })
            .collect();
        let mut chances = softmax(&utilities);
        let credits = &self.credits[begin..end];
        let weight = sum(credits.iter().copied());
        let mut value = 0.0;
        for (chance, credit) in chances.iter().zip(credits) {
            if *credit > 0.0 {
                value += credit * libm::log(*chance);
            }
        }
        for chance in &mut chances {
            *chance *= weight;
        }
        FittedChoice {
            begin,
            weight,
            expected: chances,
            value,
        }
    }

    fn terms_of(&self, alternative: usize) -> &[Term] {
        &self.terms[alternative * self.width..(alternative + 1) * self.width]
    }

    /// Adds Σ (credit − expected)·x.
    fn add_score(&self, odds: &FittedChoice, score: &mut [f64]) {
        for (at, expected) in odds.expected.iter().enumerate() {
            let rest = self.credits[odds.begin + at] - expected;
            for (index, x) in self.terms_of(odds.begin + at) {
                score[*index] += rest * x;
            }
        }
    }

    /// Adds Σ expected·x x' − (Σ expected·x)(Σ expected·x)'/weight.
    fn add_information(&self, odds: &FittedChoice, information: &mut SquareMatrix) {
        if odds.weight <= 0.0 {
            return;
        }
        let mut middle: Vec<Term> = Vec::with_capacity(odds.expected.len() * self.width);
        for (at, expected) in odds.expected.iter().enumerate() {
            let terms = self.terms_of(odds.begin + at);
            for (row, left) in terms {
                middle.push((*row, expected * left));
                for (column, right) in terms {
                    information.add(*row, *column, expected * left * right);
                }
            }
        }
        for (row, left) in &middle {
            let part = -left / odds.weight;
            for (column, right) in &middle {
                information.add(*row, *column, part * right);
            }
        }
    }
}

/// The fitted values of a choice.
struct FittedChoice {
    begin: usize,
    /// The credit of all alternatives.
    weight: f64,
    /// The fitted credit of each alternative.
    expected: Vec<f64>,
    /// The log-likelihood of this choice.
    value: f64,
}

/// Returns exp(u_a)/Σ exp(u), with 1e-300 added to each exp so that no probability is 0.
pub(crate) fn softmax(utilities: &[f64]) -> Vec<f64> {
    let highest = utilities.iter().fold(
        f64::NEG_INFINITY,
        |most, u| {
            if *u > most { *u } else { most }
        },
    );
    let mut chances: Vec<f64> = utilities
        .iter()
        .map(|u| libm::exp(u - highest) + 1e-300)
        .collect();
    let total = sum(chances.iter().copied());
    for chance in &mut chances {
        *chance /= total;
    }
    chances
}
