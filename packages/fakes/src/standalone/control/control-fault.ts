// What a request to the control server did wrong, as the server answers it: a status, and one line with where and what.
import { CallError } from "@roundtrip/contract";
import { FakeError } from "../../basics/fake-error.ts";

export class ControlFault extends Error {
  override readonly name = "ControlFault";
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** What the answer says. */
export interface FaultAnswer {
  readonly status: number;
  readonly body: {
    readonly error: {
      /** The kind of fault, for programs. */
      readonly code: string;
      readonly message: string;
      /** In the text that was sent; counted from 1. */
      readonly line?: number;
      readonly column?: number;
    };
  };
}

function controlAnswer(status: number, code: string, message: string, place = {}): FaultAnswer {
  return { status, body: { error: { code, message, ...place } } };
}

/** Express's own errors, such as those for a body that is too large, have a status and a text that may be shown. */
function isHttpError(thrown: unknown): thrown is Error & { readonly status: number } {
  return thrown instanceof Error && "status" in thrown && typeof thrown.status === "number" && "expose" in thrown;
}

/** The answer to whatever was thrown. An unexpected error shows no details. */
export function faultAnswer(thrown: unknown): FaultAnswer {
  if (thrown instanceof ControlFault) return controlAnswer(thrown.status, "bad-request", thrown.message);
  if (thrown instanceof FakeError) {
    const { place } = thrown;
    return controlAnswer(400, thrown.code, thrown.message, place && { line: place.line, column: place.column });
  }
  if (thrown instanceof CallError) return controlAnswer(400, thrown.code, thrown.message);
  if (isHttpError(thrown) && thrown.status < 500) return controlAnswer(thrown.status, "bad-request", thrown.message);
  return controlAnswer(500, "internal", "internal error");
}
