import { EigenvalueDecomposition, Matrix } from 'ml-matrix';

export interface Sample {
  speaker: string;
  features: readonly number[];
}

/** Embeds features: voices of one speaker are near each other. */
export type Recogniser = (features: readonly number[]) => number[];

const DIMENSIONS = 60;

/** Share of the mean variance added to every direction, since recordings are few. */
const SHRINKAGE = 0.1;

/**
 * Linear discriminant analysis: R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of
 * Eugenics 7 (1936), 179–188. Directions are weighted by their share of variance between speakers.
 */
export function trainRecogniser(samples: readonly Sample[]): Recogniser {
  const { mean, deviation } = columnStatistics(samples.map(({ features }) => features));
  const standardise = (features: readonly number[]): number[] =>
    features.map((value, column) => (value - (mean[column] ?? 0)) / (deviation[column] ?? 1));

  const speakers = [...new Set(samples.map(({ speaker }) => speaker))];
  const bySpeaker = speakers.map((name) =>
    samples.filter(({ speaker }) => speaker === name).map(({ features }) => standardise(features)),
  );
  const centres = bySpeaker.map((rows) => columnStatistics(rows).mean);
  const residuals = bySpeaker.flatMap((rows, speaker) =>
    rows.map((row) => row.map((value, column) => value - (centres[speaker]?.[column] ?? 0))),
  );
  const within = covariance(residuals, residuals.length - centres.length);
  const size = within.rows;
  within.add(Matrix.eye(size, size, (SHRINKAGE * within.trace()) / size));
  const whitening = whitenedBy(within);
  const between = whitening
    .transpose()
    .mmul(covariance(centred(centres), centres.length - 1))
    .mmul(whitening);
  const { values, vectors } = sortedEigen(between);
  const projection = whitening.mmul(vectors).transpose();
  return (features) => {
    const projected = projection
      .mmul(Matrix.columnVector(standardise(features)))
      .getColumn(0)
      .slice(0, DIMENSIONS);
    return projected.map((value, index) => {
      const strength = Math.max(values[index] ?? 0, 0);
      return value * Math.sqrt(strength / (1 + strength));
    });
  };
}

function columnStatistics(rows: readonly (readonly number[])[]): { mean: number[]; deviation: number[] } {
  const matrix = new Matrix(rows.map((row) => [...row]));
  const mean = matrix.mean('column');
  const deviation = matrix.standardDeviation('column', { mean, unbiased: false });
  return { mean, deviation: deviation.map((value) => value || 1) };
}

const centred = (rows: number[][]): number[][] => {
  const { mean } = columnStatistics(rows);
  return rows.map((row) => row.map((value, column) => value - (mean[column] ?? 0)));
};

function covariance(rows: number[][], degreesOfFreedom: number): Matrix {
  const matrix = new Matrix(rows);
  return matrix.transpose().mmul(matrix).div(degreesOfFreedom);
}

/** W with WᵀSW = I. */
function whitenedBy(symmetric: Matrix): Matrix {
  const { values, vectors } = sortedEigen(symmetric);
  return vectors.mmul(Matrix.diag(values.map((value) => 1 / Math.sqrt(value))));
}

/** Descending, eigenvectors as columns. */
function sortedEigen(symmetric: Matrix): { values: number[]; vectors: Matrix } {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(symmetric, { assumeSymmetric: true });
  const order = realEigenvalues
    .map((_, index) => index)
    .sort((a, b) => (realEigenvalues[b] ?? 0) - (realEigenvalues[a] ?? 0));
  return {
    values: order.map((index) => realEigenvalues[index] ?? 0),
    vectors: new Matrix(eigenvectorMatrix.subMatrixColumn(order)),
  };
}
