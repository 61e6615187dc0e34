// What a fault inside one of the runner's processes means for the run.
import { isCanonicalCode } from "@roundtrip/contract";
import { RunnerError } from "../basics/runner-error.ts";
import type { Envelope } from "./messages.ts";

type Fault = Extract<Envelope, { readonly ok: false }>;

/**
 * A study or contract that cannot be served is `bad-plan`; a server that does not answer at all is `no-answer`; another failure of a
 * call before anything was timed is `answers-differ`. Anything else is a fault of this project: an Error without a code.
 */
export function processFault(label: string, { message, code }: Fault): Error {
  const words = `${label}: ${message}`;
  if (code === "bad-plan" || code === "unusable-contract") return new RunnerError("bad-plan", words);
  if (code === "no-answer" || code === "UNAVAILABLE") return new RunnerError("no-answer", words);
  if (code === "answers-differ") return new RunnerError("answers-differ", words);
  if (isCanonicalCode(code)) {
    return new RunnerError("answers-differ", `${label}: ${code}: ${message}; no number is given`);
  }
  return new Error(words);
}
