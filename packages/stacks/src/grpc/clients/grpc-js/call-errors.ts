// Errors as a client of grpc-js gets them: a server's status, or what the library says in its own words.
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

/** What grpc-js says in its own words and every stack says alike; undefined for everything else. */
function ownError({ details }: ServiceError, target: string): CallError | undefined {
  if (details.startsWith("Deadline exceeded")) return deadlineExceeded();
  if (details === "Cancelled on client") return callerCancelled();
  const [, why] = noConnection.exec(details) ?? [];
  if (why !== undefined) return serverUnavailable(target, why);
  return connectionLost.test(details) ? serverUnavailable(target, details) : undefined;
}

/**
 * The error that a failed call carries; code, message and details are those of the server's CallError when there was one.
 * @param target the address that was called.
 */
export function callErrorOf(error: ServiceError, target: string): CallError {
  return (
    errorInTrailers(error) ??
    ownError(error, target) ??
    new CallError(codeFromGrpc(error.code), error.details, {}, { cause: error })
  );
}
