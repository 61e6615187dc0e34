// Maps errors of the grpc-js client: the server's status, or an error of the library itself.
import type { ServiceError } from "@grpc/grpc-js";
import { CallError, callerCancelled, codeFromGrpc, deadlineExceeded } from "@roundtrip/contract";
import { serverUnavailable } from "@roundtrip/styles/client";
import { detailsTrailer, errorInDetails } from "@roundtrip/styles/grpc/client";
import { asBytes } from "../../grpc-js/method-definition.ts";

function errorInTrailers(error: ServiceError): CallError | undefined {
  const [bytes] = error.metadata.get(detailsTrailer);
  return bytes instanceof Buffer ? errorInDetails(asBytes(bytes), error) : undefined;
}

const noConnection =
  /^No connection established\. Last error: (?:Error: )?(.*?)(?: \([^)]*\))?\. Resolution note: .*$/s;
const connectionLost =
  /^(?:No connection established|Connection dropped|Name resolution failed|(?:read|write) E[A-Z]+)/;

/** What the error of a call depends on, besides the error of grpc-js. */
export interface FailedCall {
  /** The address of the server. */
  readonly target: string;
  /** Milliseconds since 1970; undefined without a deadline. */
  readonly deadline: number | undefined;
}

/** Maps errors of grpc-js that every stack words alike; undefined for all others. */
function ownError({ details }: ServiceError, { target, deadline }: FailedCall): CallError | undefined {
  if (details.startsWith("Deadline exceeded")) return deadlineExceeded();
  // A server may end a call with RST_STREAM when its deadline passes, and be faster than the timer here. grpc-go does.
  if (details === "Call cancelled" && deadline !== undefined && Date.now() >= deadline) return deadlineExceeded();
  if (details === "Cancelled on client") return callerCancelled();
  const [, why] = noConnection.exec(details) ?? [];
  if (why !== undefined) return serverUnavailable(target, why);
  return connectionLost.test(details) ? serverUnavailable(target, details) : undefined;
}

/** The error of a failed call: the server's code, message and details if it sent a CallError. */
export function callErrorOf(error: ServiceError, call: FailedCall): CallError {
  return (
    errorInTrailers(error) ??
    ownError(error, call) ??
    new CallError(codeFromGrpc(error.code), error.details, {}, { cause: error })
  );
}
