// Errors of analysis, each with a code, so that the command line can choose its own message.
import { CodedError } from "@roundtrip/runs/error";

/**
 * `no-samples`: nothing to describe. `not-a-number`: NaN or an infinity among the samples. `negative-latency`: an end before its start.
 * `ragged-columns`: columns of unequal length, or an invalid index. `bad-option`: an option outside its range. `unstable-load`: arrivals exceed the
 * servers' capacity. `too-large`: a model would take too long to compute.
 */
export type AnalysisErrorCode =
  | "no-samples"
  | "not-a-number"
  | "negative-latency"
  | "ragged-columns"
  | "bad-option"
  | "unstable-load"
  | "too-large";

export class AnalysisError extends CodedError<AnalysisErrorCode> {
  override readonly name = "AnalysisError";
}
