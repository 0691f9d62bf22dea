//! Statistics: known figures, exact ends, and small simulations.

mod distributions;
mod fairness;
mod models;
mod sequential;
mod shares;
mod small_random;
mod source;
