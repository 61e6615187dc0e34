// Errors of a measurement.
import { CodedError } from "@roundtrip/contract/coded-error";
import { type ProcessEnd, processEndText } from "@roundtrip/runs";

/**
 * `process-died`: a server or client process ended by itself. `no-answer`: a server does not answer, or stopped answering. `answers-differ`: arms of
 * one task answer differently. `budget-too-small`: not even one round fits. `unwritable`: temporary files cannot be written. `bad-plan`: a study uses something that the contract does not have, or two servers have one address. `link-unavailable`:
 * this machine does not support the requested network. `link-faulty`: the network differs from the requested one. `link-lost`: the network was lost
 * during a measurement.
 */
export type RunnerErrorCode =
  | "process-died"
  | "no-answer"
  | "answers-differ"
  | "budget-too-small"
  | "unwritable"
  | "bad-plan"
  | "link-unavailable"
  | "link-faulty"
  | "link-lost";

export class RunnerError extends CodedError<RunnerErrorCode> {
  override readonly name = "RunnerError";
}

/** A process ended, or does not answer: another round starts new ones. */
export class ProcessLoss extends RunnerError {
  readonly end: ProcessEnd;

  constructor(end: ProcessEnd, message = processEndText(end)) {
    super(end.how === "silent" ? "no-answer" : "process-died", message);
    this.end = end;
  }
}

const losses: readonly RunnerErrorCode[] = ["process-died", "no-answer", "link-lost"];

/** Whether a process or the network was lost during a run: earlier rounds are worth a report. */
export function isLoss(thrown: unknown): thrown is RunnerError {
  return thrown instanceof RunnerError && losses.includes(thrown.code);
}
