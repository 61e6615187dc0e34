// What can go wrong while numbers are obtained.

/**
 * `process-died`: a server or client process ended by itself. `no-answer`: a server does not answer, or no longer. `answers-differ`: arms that should agree do not.
 * `budget-too-small`: not even one round fits. `unwritable`: the run directory cannot be written. `unreadable`: no such run,
 * or a damaged one. `bad-plan`: a study asks for something that the contract does not have. `link-unavailable`: this machine cannot have
 * the network that was asked for. `link-faulty`: it came up and is not what was asked for. `link-lost`: it went while it was measured over.
 */
export type RunnerErrorCode =
  | "process-died"
  | "no-answer"
  | "answers-differ"
  | "budget-too-small"
  | "unwritable"
  | "unreadable"
  | "bad-plan"
  | "link-unavailable"
  | "link-faulty"
  | "link-lost";

export class RunnerError extends Error {
  override readonly name = "RunnerError";
  readonly code: RunnerErrorCode;

  constructor(code: RunnerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
