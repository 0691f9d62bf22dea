//! Small symmetric matrices: Cholesky's decomposition, solutions and inverses.

use crate::error::StatsError;

/// A square matrix, stored row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SquareMatrix {
    size: usize,
    cells: Vec<f64>,
}

impl SquareMatrix {
    pub(crate) fn zero(size: usize) -> Self {
        Self {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds v v' for a vector v with one value for each row.
    pub(crate) fn add_outer(&mut self, vector: &[f64]) {
        for (row, left) in vector.iter().enumerate() {
            for (column, right) in vector.iter().enumerate() {
                self.add(row, column, left * right);
            }
        }
    }

    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.cells
            .chunks_exact(self.size)
            .map(|row| dot(row, vector))
            .collect()
    }

    /// Returns the lower triangular matrix L with L L' = this matrix. This matrix must be symmetric
    /// and positive definite.
    pub(crate) fn cholesky(&self) -> Result<Cholesky, StatsError> {
        let mut lower = SquareMatrix::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let done = dot(&lower.row(row)[..column], &lower.row(column)[..column]);
                let rest = self.get(row, column) - done;
                let cell = if row > column {
                    rest / lower.get(column, column)
                } else if rest > 1e-12 * self.get(row, row) && rest.is_finite() {
                    libm::sqrt(rest)
                } else {
                    return Err(StatsError::Singular);
                };
                lower.add(row, column, cell);
            }
        }
        Ok(Cholesky { lower })
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }
}

/// Returns Σ aᵢ bᵢ, summed in order.
pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    crate::moments::sum(left.iter().zip(right).map(|(a, b)| a * b))
}

/// The lower triangular Cholesky factor of a positive definite matrix.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky {
    lower: SquareMatrix,
}

impl Cholesky {
    /// Returns the x with A x = `right`. `right` must have one value for each row.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = self.lower.size;
        let mut x = right.to_vec();
        for row in 0..size {
            let done = dot(&self.lower.row(row)[..row], &x[..row]);
            x[row] = (x[row] - done) / self.lower.get(row, row);
        }
        for row in (0..size).rev() {
            let mut rest = x[row];
            for (below, value) in x.iter().enumerate().skip(row + 1) {
                rest -= self.lower.get(below, row) * value;
            }
            x[row] = rest / self.lower.get(row, row);
        }
        x
    }
}
