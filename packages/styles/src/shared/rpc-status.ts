// A CallError as google.rpc.Status, the format of errors with details in gRPC and related protocols.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import { canonicalCodes, codeFromGrpc, CallError, type ErrorDetails } from "@roundtrip/contract";
import { BadRequestSchema, ErrorInfoSchema } from "@roundtrip/contract/gen/google/rpc/error_details_pb";
import { StatusSchema } from "@roundtrip/contract/gen/google/rpc/status_pb";

function hasErrorInfo({ reason, domain, metadata }: ErrorDetails): boolean {
  return reason !== "" || domain !== "" || Object.keys(metadata).length > 0;
}

/** Whether the error has only a code and a message. */
export function isWithoutDetails(details: ErrorDetails): boolean {
  return !hasErrorInfo(details) && details.violations.length === 0;
}

/** Serialises an error as google.rpc.Status, with ErrorInfo and BadRequest unless they are empty. */
export function rpcStatusToBinary({ code, message, details }: CallError): Uint8Array {
  const { reason, domain, metadata, violations } = details;
  const packed = [];
  if (hasErrorInfo(details)) {
    packed.push(anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason, domain, metadata: { ...metadata } })));
  }
  if (violations.length > 0) {
    const fieldViolations = violations.map(({ field, description, reason: rule }) => ({
      field,
      description,
      reason: rule,
    }));
    packed.push(anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations })));
  }
  const status = create(StatusSchema, { code: canonicalCodes[code].grpc, message, details: packed });
  return toBinary(StatusSchema, status);
}

/** Parses a serialised google.rpc.Status; ignores details of other types. Throws if the bytes are not a Status. */
export function rpcStatusFromBinary(bytes: Uint8Array, cause?: unknown): CallError {
  const status = fromBinary(StatusSchema, bytes);
  const details: { -readonly [K in keyof ErrorDetails]?: ErrorDetails[K] } = {};
  for (const any of status.details) {
    const info = anyUnpack(any, ErrorInfoSchema);
    if (info !== undefined) {
      const { reason, domain, metadata } = info;
      Object.assign(details, { reason, domain, metadata });
    }
    const badRequest = anyUnpack(any, BadRequestSchema);
    if (badRequest !== undefined) {
      details.violations = badRequest.fieldViolations.map(({ field, description, reason }) => ({
        field,
        description,
        reason,
      }));
    }
  }
  return new CallError(codeFromGrpc(status.code), status.message, details, cause === undefined ? {} : { cause });
}
