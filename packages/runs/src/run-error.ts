// Errors of reading and writing runs, and what the error classes of packages have in common that do not know the contract.

/** An error with a message for people, and a code from a closed set for programs. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** `unwritable`: the run directory cannot be written. `unreadable`: a missing or damaged run. */
export type RunErrorCode = "unwritable" | "unreadable";

export class RunError extends CodedError<RunErrorCode> {
  override readonly name = "RunError";
}
