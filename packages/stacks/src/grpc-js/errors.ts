// Errors on gRPC: a status with code and message, and google.rpc.Status in a trailer when there is more to say.
import { Metadata, status, type ServiceError, type StatusObject } from "@grpc/grpc-js";
import { CallError, callerCancelled, codeFromGrpc, deadlineExceeded } from "@roundtrip/contract";
import { noAnswer } from "../no-answer.ts";
import { isWithoutDetails, rpcStatusFromBinary, rpcStatusToBinary } from "../rpc-status.ts";
import { asBuffer, asBytes } from "./method-definition.ts";

const detailsTrailer = "grpc-status-details-bin";

// gRPC peers accept 8 to 16 KB of metadata; past that, the call ends as a protocol error and says nothing at all.
const maxMessageChars = 4_000;
const maxDetailsBytes = 8_000;

/** The status that carries an error. A very long message is cut, and details too large for metadata are left out. */
export function statusOf(error: CallError): Partial<StatusObject> {
  // grpc-js percent-encodes the message, which half a surrogate pair would make throw.
  const bare = { code: status[error.code], details: error.message.slice(0, maxMessageChars).toWellFormed() };
  if (isWithoutDetails(error.details)) return bare;
  const details = rpcStatusToBinary(error);
  if (details.length > maxDetailsBytes) return bare;
  const metadata = new Metadata();
  metadata.set(detailsTrailer, asBuffer(details));
  return { ...bare, metadata };
}

function rpcStatusIn(error: ServiceError): CallError | undefined {
  const [bytes] = error.metadata.get(detailsTrailer);
  if (!(bytes instanceof Buffer)) return undefined;
  try {
    return rpcStatusFromBinary(asBytes(bytes), error);
  } catch {
    // A server whose details cannot be read has still told its code and message.
    return undefined;
  }
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
  if (why !== undefined) return noAnswer(target, why);
  return connectionLost.test(details) ? noAnswer(target, details) : undefined;
}

/**
 * The error that a failed call carries; code, message and details are those of the server's CallError when there was one.
 * @param target the address that was called.
 */
export function callErrorOf(error: ServiceError, target: string): CallError {
  return (
    rpcStatusIn(error) ??
    ownError(error, target) ??
    new CallError(codeFromGrpc(error.code), error.details, {}, { cause: error })
  );
}
