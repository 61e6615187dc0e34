// The additive model of a style's libraries: ln(figure) = style + server + client. Every effect is a weighted sum of the figures of its stacks.
import { Matrix, pseudoInverse, QrDecomposition } from "ml-matrix";
import type { StackIds } from "@roundtrip/runs";

/** One weight per stack, in the order of the stacks. */
export type Weights = readonly number[];

/** What a library adds to the logarithm, against the mean of the style's libraries of its kind. */
export interface LibraryEffect {
  readonly library: string;
  readonly weights: Weights;
}

export interface AdditiveModel {
  /** The mean over the style's servers and clients, each counting once. */
  readonly mean: Weights;
  readonly servers: readonly LibraryEffect[];
  readonly clients: readonly LibraryEffect[];
  /** What the model leaves of each stack: how much a pair differs from the sum of its parts. */
  readonly residuals: readonly Weights[];
  /** Stacks beyond those that the model needs; with 0 the residuals are 0. */
  readonly residualDegrees: number;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/** Effect coding: one column per library but the last, which is minus the sum of the others. */
function codes(library: string, libraries: readonly string[]): readonly number[] {
  const isLast = library === libraries.at(-1);
  return libraries.slice(0, -1).map((name) => (isLast ? -1 : Number(name === library)));
}

function effectsOf(rows: readonly Weights[], libraries: readonly string[]): readonly LibraryEffect[] {
  const last = (rows[0] ?? []).map((_weight, stack) => -rows.reduce((sum, row) => sum + (row[stack] as number), 0));
  const all = libraries.length > 1 ? [...rows, last] : [];
  return all.map((weights, index) => ({ library: libraries[index] as string, weights }));
}

/**
 * Fits the stacks of one style by least squares, with effects that sum to 0: Searle, "Linear Models for Unbalanced Data" (1987), chapter 4. A style
 * whose servers all meet one client, and whose clients one server, is fitted exactly; crossed libraries leave residuals. Undefined if the stacks do
 * not connect all libraries, so that servers and clients cannot be separated.
 */
export function additiveModel(stacks: readonly Pick<StackIds, "server" | "client">[]): AdditiveModel | undefined {
  const servers = unique(stacks.map(({ server }) => server));
  const clients = unique(stacks.map(({ client }) => client));
  const design = new Matrix(
    stacks.map(({ server, client }) => [1, ...codes(server, servers), ...codes(client, clients)]),
  );
  if (design.rows < design.columns || !new QrDecomposition(design).isFullRank()) return undefined;
  const solved = pseudoInverse(design);
  const [mean = [], ...effects] = solved.to2DArray();
  const residuals = Matrix.eye(stacks.length).sub(design.mmul(solved));
  return {
    mean,
    servers: effectsOf(effects.slice(0, servers.length - 1), servers),
    clients: effectsOf(effects.slice(servers.length - 1), clients),
    residuals: residuals.to2DArray(),
    residualDegrees: design.rows - design.columns,
  };
}
