// Errors of a measurement.
import { CodedError } from "@roundtrip/contract/coded-error";

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

const processLosses: readonly RunnerErrorCode[] = ["process-died", "no-answer"];

/** Whether a process ended, or does not answer: another round starts new ones. */
export function isProcessLoss(thrown: unknown): thrown is RunnerError {
  return thrown instanceof RunnerError && processLosses.includes(thrown.code);
}

/** Whether a process or the network was lost during a run: earlier rounds are worth a report. */
export function isLoss(thrown: unknown): thrown is RunnerError {
  return isProcessLoss(thrown) || (thrown instanceof RunnerError && thrown.code === "link-lost");
}
