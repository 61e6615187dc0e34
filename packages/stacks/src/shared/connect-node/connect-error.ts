// Errors of calls as Connect's library takes them. Its codes have the numbers of gRPC.
import { type Code, ConnectError } from "@connectrpc/connect";
import { CallError, canonicalCodes, type ErrorDetails, type Metadata, type ServerCall } from "@roundtrip/contract";
import { BadRequestSchema, ErrorInfoSchema } from "@roundtrip/contract/gen/google/rpc/error_details_pb";

function detailsOf({ reason, domain, metadata, violations }: ErrorDetails): ConnectError["details"] {
  const hasInfo = reason !== "" || domain !== "" || Object.keys(metadata).length > 0;
  return [
    ...(hasInfo ? [{ desc: ErrorInfoSchema, value: { reason, domain, metadata: { ...metadata } } }] : []),
    ...(violations.length > 0 ? [{ desc: BadRequestSchema, value: { fieldViolations: [...violations] } }] : []),
  ];
}

function withCode({ code, message, details }: CallError, metadata: Metadata | undefined): ConnectError {
  const number = canonicalCodes[code].grpc as unknown as Code;
  const error = new ConnectError(message, number, metadata === undefined ? [] : [...metadata]);
  error.details = detailsOf(details);
  return error;
}

/** The error for anything that a service throws, with the metadata that the handler sends. @param fit shortens what the protocol cannot carry. */
export function connectErrorOf(thrown: unknown, call: ServerCall, fit: (error: CallError) => CallError): ConnectError {
  try {
    return withCode(fit(CallError.from(thrown)), call.metadataToSend());
  } catch (unsendable) {
    return withCode(fit(CallError.from(unsendable)), undefined);
  }
}
