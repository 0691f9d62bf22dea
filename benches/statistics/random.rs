//! Random numbers that repeat: SplitMix64 (Steele, Lea & Flood 2014), one stream for each run.

use std::thread;

pub(crate) struct RunStream(u64);

impl RunStream {
    /// Returns the stream of one run of one row; it depends only on the seed and the run.
    pub(crate) fn new(seed: u64, run: usize) -> Self {
        let mut first = Self(seed);
        let start = first.next() ^ (run as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let mut mixed = Self(start);
        Self(mixed.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From 0 to below n.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    /// An index, each with its chance; the chances sum to 1.
    pub(crate) fn pick(&mut self, chances: &[f64]) -> usize {
        let mut rest = self.unit();
        for (index, chance) in chances.iter().enumerate() {
            rest -= chance;
            if rest < 0.0 {
                return index;
            }
        }
        chances.len() - 1
    }

    /// Standard normal, by Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(2.0 * std::f64::consts::PI * self.unit())
    }
}

/// Returns the results of many runs, in order, for any number of threads.
pub(crate) fn runs<T: Send>(
    number: usize,
    seed: u64,
    run: impl Fn(&mut RunStream) -> T + Sync,
) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let each = number.div_ceil(threads);
    thread::scope(|scope| {
        let run = &run;
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                let span = (part * each).min(number)..((part + 1) * each).min(number);
                scope.spawn(move || -> Vec<T> {
                    span.map(|index| run(&mut RunStream::new(seed, index)))
                        .collect()
                })
            })
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().expect("a run that panics ends the program"))
            .collect()
    })
}

/// Returns the percentage of true values, with one decimal.
pub(crate) fn percent(of: impl Iterator<Item = bool>) -> String {
    let mut all = 0usize;
    let mut held = 0usize;
    for value in of {
        all += 1;
        held += usize::from(value);
    }
    if all == 0 {
        return "–".to_owned();
    }
    format!("{:.1}", 100.0 * held as f64 / all as f64)
}

pub(crate) fn average(of: impl Iterator<Item = f64>) -> f64 {
    let mut all = 0usize;
    let mut sum = 0.0;
    for value in of {
        all += 1;
        sum += value;
    }
    sum / all as f64
}
