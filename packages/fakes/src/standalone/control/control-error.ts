// Errors in requests to the control server, and the answers to them: a status, and one line that says what is wrong.
import { CallError } from "@roundtrip/contract";
import { FakeError } from "../../basics/fake-error.ts";

export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The answer to a failed request. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: {
    readonly error: {
      /** The kind of error, for programs. */
      readonly code: string;
      readonly message: string;
      /** The position in the text of the request, from 1. */
      readonly line?: number;
      readonly column?: number;
    };
  };
}

function controlAnswer(status: number, code: string, message: string, position = {}): ErrorAnswer {
  return { status, body: { error: { code, message, ...position } } };
}

/** Express's own errors, such as for a body that is too large, have a status and a text for users. */
function isHttpError(thrown: unknown): thrown is Error & { readonly status: number } {
  return thrown instanceof Error && "status" in thrown && typeof thrown.status === "number" && "expose" in thrown;
}

/** The answer to any thrown error. An unexpected error shows no details. */
export function errorAnswer(thrown: unknown): ErrorAnswer {
  if (thrown instanceof ControlError) return controlAnswer(thrown.status, "bad-request", thrown.message);
  if (thrown instanceof FakeError) {
    const { position } = thrown;
    return controlAnswer(
      400,
      thrown.code,
      thrown.message,
      position && { line: position.line, column: position.column },
    );
  }
  if (thrown instanceof CallError) return controlAnswer(400, thrown.code, thrown.message);
  if (isHttpError(thrown) && thrown.status < 500) return controlAnswer(thrown.status, "bad-request", thrown.message);
  return controlAnswer(500, "internal", "internal error");
}
