//! The incomplete gamma and beta functions, on which the distributions are built.
//!
//! The series and continued fractions come from the NIST Digital Library of Mathematical Functions,
//! chapters 5 and 8. Fractions are evaluated from the front as in Lentz (1976), *Applied Optics*
//! 15, 668. Logarithms of large gamma functions are never subtracted from each other. Common parts
//! are removed first, so that results with 10^6 degrees of freedom keep 10 digits.

/// The smallest argument for which Stirling's series is exact to the last digits.
const LARGE: f64 = 20.0;

/// The maximum number of terms of a series or fraction. Fewer terms are enough for 1,000,000
/// degrees of freedom.
const TERMS: u32 = 20_000;

/// The value that replaces 0 as a divisor in a continued fraction.
const TINY: f64 = 1e-300;

const LN_SQRT_2_PI: f64 = 0.918_938_533_204_672_8;

/// Returns the remainder of Stirling's formula, ln Γ(x) − ((x−½) ln x − x + ½ ln 2π), for x ≥ 20.
fn stirling_rest(x: f64) -> f64 {
    let y = 1.0 / (x * x);
    (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)))) / x
}

/// Returns ln B(a, b) = ln Γ(a) + ln Γ(b) − ln Γ(a+b), for a, b > 0. One of them must be at most a
/// few hundred.
pub(crate) fn ln_beta(a: f64, b: f64) -> f64 {
    let small = if a < b { a } else { b };
    let large = if a < b { b } else { a };
    if large < LARGE {
        return libm::lgamma(small) + libm::lgamma(large) - libm::lgamma(small + large);
    }
    // ln Γ(large) − ln Γ(small + large), without the parts that cancel.
    let sum = small + large;
    let ratio = -(large - 0.5) * libm::log1p(small / large) - small * libm::log(sum) + small;
    let rest = stirling_rest(large) - stirling_rest(sum);
    libm::lgamma(small) + ratio + rest
}

/// Returns the regularized incomplete beta function I_x(a, b) for x and y = 1 − x.
///
/// Both x and y are arguments because computing the smaller one from the larger one would lose
/// digits.
pub(crate) fn regularized_beta(a: f64, b: f64, x: LogProbability, y: LogProbability) -> f64 {
    if x.value <= 0.0 {
        return 0.0;
    }
    if y.value <= 0.0 {
        return 1.0;
    }
    let front = libm::exp(a * x.ln + b * y.ln - ln_beta(a, b));
    if x.value < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x.value) / a
    } else {
        1.0 - front * beta_fraction(b, a, y.value) / b
    }
}

/// A number from 0 to 1 and its logarithm.
#[derive(Clone, Copy)]
pub(crate) struct LogProbability {
    pub(crate) value: f64,
    pub(crate) ln: f64,
}

/// Returns x and y for `regularized_beta` with x : y = `large` : `small`.
pub(crate) fn split(small: f64, large: f64) -> (LogProbability, LogProbability) {
    let x = LogProbability {
        value: large / (large + small),
        ln: -libm::log1p(small / large),
    };
    let y = LogProbability {
        value: small / (large + small),
        ln: -libm::log1p(large / small),
    };
    (x, y)
}

/// Returns the continued fraction of the incomplete beta function, DLMF 8.17.22.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let mut fraction = Fraction::new(1.0);
    // The first numerator is 1, and `Fraction` starts after it.
    for term in 0..TERMS {
        let m = f64::from(term / 2);
        let numerator = if term % 2 == 0 {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        } else {
            let m = m + 1.0;
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        };
        if fraction.add(numerator, 1.0) {
            break;
        }
    }
    1.0 / fraction.value
}

/// Returns Q(a, x) = Γ(a, x)/Γ(a), the upper regularized incomplete gamma function, for a > 0,
/// x ≥ 0.
pub(crate) fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = libm::exp(ln_gamma_front(a, x));
    if x < a + 1.0 {
        return 1.0 - front * gamma_series(a, x);
    }
    let mut fraction = Fraction::new(x + 1.0 - a);
    for term in 1..TERMS {
        let k = f64::from(term);
        if fraction.add(-k * (k - a), x + 1.0 - a + 2.0 * k) {
            break;
        }
    }
    front / fraction.value
}

/// Returns ln(x^a e^{−x} / Γ(a)).
fn ln_gamma_front(a: f64, x: f64) -> f64 {
    if a < LARGE {
        return a * libm::log(x) - x - libm::lgamma(a);
    }
    // ln(x/a) − x/a + 1 is small for the arguments that matter, and so is its error.
    let ratio = (x - a) / a;
    a * (libm::log1p(ratio) - ratio) + 0.5 * libm::log(a) - LN_SQRT_2_PI - stirling_rest(a)
}

/// Returns Σ x^k / (a (a+1) … (a+k)), DLMF 8.7.1.
fn gamma_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for k in 1..TERMS {
        term *= x / (a + f64::from(k));
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    sum
}

/// A continued fraction b0 + a1/(b1 + a2/(b2 + …)), evaluated from the front.
struct Fraction {
    value: f64,
    above: f64,
    below: f64,
}

impl Fraction {
    fn new(first: f64) -> Self {
        let first = if first == 0.0 { TINY } else { first };
        Self {
            value: first,
            above: first,
            below: 0.0,
        }
    }

    /// Adds a term. Returns whether the value has converged.
    fn add(&mut self, numerator: f64, denominator: f64) -> bool {
        let below = denominator + numerator * self.below;
        let above = denominator + numerator / self.above;
        self.below = 1.0 / if below == 0.0 { TINY } else { below };
        self.above = if above == 0.0 { TINY } else { above };
        let change = self.above * self.below;
        self.value *= change;
        (change - 1.0).abs() < 1e-16
    }
}
