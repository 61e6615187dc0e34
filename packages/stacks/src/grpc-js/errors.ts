// Errors on gRPC: a status with code and message, and google.rpc.Status in a trailer when there is more to say.
import { Metadata, status, type ServiceError, type StatusObject } from "@grpc/grpc-js";
import { CallError, callerCancelled, codeFromGrpc, deadlineExceeded, type ServerCall } from "@roundtrip/contract";
import { noAnswer } from "../no-answer.ts";
import { isWithoutDetails, rpcStatusFromBinary } from "../rpc-status.ts";
import { fittingDetails, fittingMessage } from "./calls/fitting-error.ts";
import { grpcMetadataOf } from "./calls/metadata.ts";
import { asBuffer, asBytes } from "./calls/method-definition.ts";

const detailsTrailer = "grpc-status-details-bin";

/** The status that carries an error; what does not fit into metadata is left out, see {@link fittingMessage} and {@link fittingDetails}. */
export function statusOf(error: CallError, answerMetadata?: Metadata): Partial<StatusObject> {
  const message = fittingMessage(error.message);
  const bare = { code: status[error.code], details: message };
  if (isWithoutDetails(error.details))
    return answerMetadata === undefined ? bare : { ...bare, metadata: answerMetadata };
  const metadata = answerMetadata ?? new Metadata();
  const details = fittingDetails(error, message);
  if (details !== undefined) metadata.set(detailsTrailer, asBuffer(details));
  return { ...bare, metadata };
}

/** The same for whatever a service threw, with the metadata that its handler wants to send. */
export function failureOf(thrown: unknown, call: ServerCall): Partial<StatusObject> {
  const error = CallError.from(thrown);
  try {
    const answerMetadata = call.metadataToSend();
    return statusOf(error, answerMetadata && grpcMetadataOf(answerMetadata));
  } catch (unsendable) {
    return statusOf(CallError.from(unsendable));
  }
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
