// Encodes errors for Connect and gRPC-Web: the codes are gRPC's, details are messages of google.rpc.
import { Code, ConnectError } from "@connectrpc/connect";
import { CallError, type CanonicalCode, type ErrorDetails, type ServerCall } from "@roundtrip/contract";
import { BadRequestSchema, ErrorInfoSchema } from "@roundtrip/contract/gen/google/rpc/error_details_pb";

const codes = {
  CANCELLED: Code.Canceled,
  UNKNOWN: Code.Unknown,
  INVALID_ARGUMENT: Code.InvalidArgument,
  DEADLINE_EXCEEDED: Code.DeadlineExceeded,
  NOT_FOUND: Code.NotFound,
  ALREADY_EXISTS: Code.AlreadyExists,
  PERMISSION_DENIED: Code.PermissionDenied,
  RESOURCE_EXHAUSTED: Code.ResourceExhausted,
  FAILED_PRECONDITION: Code.FailedPrecondition,
  ABORTED: Code.Aborted,
  OUT_OF_RANGE: Code.OutOfRange,
  UNIMPLEMENTED: Code.Unimplemented,
  INTERNAL: Code.Internal,
  UNAVAILABLE: Code.Unavailable,
  DATA_LOSS: Code.DataLoss,
  UNAUTHENTICATED: Code.Unauthenticated,
} as const satisfies Readonly<Record<CanonicalCode, Code>>;

function detailsOf({ reason, domain, metadata, violations }: ErrorDetails): ConnectError["details"] {
  const hasInfo = reason !== "" || domain !== "" || Object.keys(metadata).length > 0;
  const fieldViolations = violations.map(({ field, description, reason: rule }) => ({
    field,
    description,
    reason: rule,
  }));
  return [
    ...(hasInfo ? [{ desc: ErrorInfoSchema, value: { reason, domain, metadata: { ...metadata } } }] : []),
    ...(fieldViolations.length > 0 ? [{ desc: BadRequestSchema, value: { fieldViolations } }] : []),
  ];
}

/** Converts any thrown error, with the metadata that the handler sends. */
export function connectErrorOf(thrown: unknown, call: ServerCall): ConnectError {
  const error = CallError.from(thrown);
  const connectError = new ConnectError(error.message, codes[error.code], [...(call.metadataToSend() ?? [])]);
  connectError.details = detailsOf(error.details);
  return connectError;
}
