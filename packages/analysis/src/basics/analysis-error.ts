// What can be wrong with numbers given to analysis: each with a code, so that the command line can answer in its own words.

/**
 * What errors about figures have in common: a message for people, and a code from a closed set for programs. The contract has its own such class, because
 * analysis imports no other package.
 */
export abstract class FiguresError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * `no-samples`: nothing to describe. `not-a-number`: NaN or an infinity among the samples. `negative-latency`: an end before its start.
 * `ragged-columns`: columns of unequal length, or an index that points nowhere. `bad-option`: an option outside its range.
 * `unstable-load`: more work arrives than servers can do. `no-solution`: a model's figures do not settle. `too-large`: a model would compute for long.
 */
export type AnalysisErrorCode =
  | "no-samples"
  | "not-a-number"
  | "negative-latency"
  | "ragged-columns"
  | "bad-option"
  | "unstable-load"
  | "no-solution"
  | "too-large";

export class AnalysisError extends FiguresError<AnalysisErrorCode> {
  override readonly name = "AnalysisError";
}
