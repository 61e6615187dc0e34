// Errors of RPC styles: codes by HTTP status, and details as google.rpc.Status in bytes and in JSON.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyIs, anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import {
  CallError,
  type CanonicalCode,
  canonicalCodes,
  codeFromGrpc,
  type ErrorDetails,
  type FieldViolation,
  isObject,
} from "@roundtrip/contract";
import {
  type BadRequest,
  BadRequestSchema,
  type ErrorInfo,
  ErrorInfoSchema,
} from "@roundtrip/contract/gen/google/rpc/error_details_pb";
import { StatusSchema } from "@roundtrip/contract/gen/google/rpc/status_pb";

// An `import` would also load Node.js's HTTP client, a lazy export: a tenth of a process's start time.
export const { STATUS_CODES } = process.getBuiltinModule("node:http");

// Answers that something between client and server gave, such as a proxy. gRPC and Connect map them alike.

/** https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md, and "HTTP to Error Code" of https://connectrpc.com/docs/protocol */
const codes: Readonly<Record<number, CanonicalCode>> = {
  400: "INTERNAL",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "UNIMPLEMENTED",
  429: "UNAVAILABLE",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "UNAVAILABLE",
};

/** The code of an answer that is not of the protocol. @param httpStatus undefined without one */
export function codeOfForeignAnswer(httpStatus: number | undefined): CanonicalCode {
  return codes[httpStatus ?? 0] ?? "UNKNOWN";
}

// A CallError as google.rpc.Status, the format of errors with details in gRPC and related protocols.

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
    packed.push(anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations: [...violations] })));
  }
  const status = create(StatusSchema, { code: canonicalCodes[code].grpc, message, details: packed });
  return toBinary(StatusSchema, status);
}

/** The details in messages of google.rpc. */
export function detailsOf(info: ErrorInfo | undefined, badRequest: BadRequest | undefined): Partial<ErrorDetails> {
  const violations = badRequest?.fieldViolations.map(({ field, description, reason }) => ({
    field,
    description,
    reason,
  }));
  return {
    ...(info && { reason: info.reason, domain: info.domain, metadata: info.metadata }),
    ...(violations && { violations }),
  };
}

/** Parses a serialised google.rpc.Status; ignores details of other types. Throws if the bytes are not a Status. */
export function rpcStatusFromBinary(bytes: Uint8Array, cause?: unknown): CallError {
  const status = fromBinary(StatusSchema, bytes);
  const info = status.details.findLast((any) => anyIs(any, ErrorInfoSchema));
  const badRequest = status.details.findLast((any) => anyIs(any, BadRequestSchema));
  const details = detailsOf(
    info && anyUnpack(info, ErrorInfoSchema),
    badRequest && anyUnpack(badRequest, BadRequestSchema),
  );
  return new CallError(codeFromGrpc(status.code), status.message, details, cause === undefined ? {} : { cause });
}

// Error details as ProtoJSON of google.rpc.ErrorInfo and google.rpc.BadRequest. They may come from any server, so every member is checked.

export interface AnyJson {
  readonly "@type": string;
  readonly [member: string]: unknown;
}

const errorInfo = "type.googleapis.com/google.rpc.ErrorInfo";
const badRequest = "type.googleapis.com/google.rpc.BadRequest";

/** Omits empty details. */
export function detailsToAny(details: ErrorDetails): readonly AnyJson[] {
  const { violations, ...info } = detailsToJson(details);
  return [
    ...(Object.keys(info).length === 0 ? [] : [{ "@type": errorInfo, ...info }]),
    ...(violations === undefined ? [] : [{ "@type": badRequest, fieldViolations: violations }]),
  ];
}

/** The same with every field, as protojson for Go writes with `EmitUnpopulated`. */
export function detailsToWholeAny(details: ErrorDetails): readonly AnyJson[] {
  const { reason, domain, metadata } = details;
  return detailsToAny(details).map((any) =>
    any["@type"] === errorInfo
      ? { "@type": errorInfo, reason, domain, metadata }
      : {
          "@type": badRequest,
          fieldViolations: details.violations.map((violation) => ({ ...violation, localizedMessage: null })),
        },
  );
}

/** Ignores details of other types. */
export function detailsFromAny(details: readonly unknown[]): ErrorDetails {
  const found: Record<string, unknown> = {};
  for (const any of details.map(record)) {
    if (any["@type"] === errorInfo) Object.assign(found, any);
    if (any["@type"] === badRequest) found["violations"] = any["fieldViolations"];
  }
  return detailsFromJson(found);
}

// Error details as JSON, for REST's problem details and GraphQL's extensions. They may come from any server, so every member is checked.

export interface ErrorDetailsJson {
  readonly reason?: string;
  readonly domain?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly FieldViolation[];
}

/** Omits empty members. */
export function detailsToJson({ reason, domain, metadata, violations }: ErrorDetails): ErrorDetailsJson {
  return {
    ...(reason === "" ? {} : { reason }),
    ...(domain === "" ? {} : { domain }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(violations.length === 0 ? {} : { violations }),
  };
}

/** Narrows a value to text; empty for others. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Narrows a value to an object; empty for others. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function metadataOf(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(record(value)).map(([key, entry]) => [key, text(entry)]));
}

function violationsOf(value: unknown): FieldViolation[] {
  return (Array.isArray(value) ? value : []).map(record).map((violation) => ({
    field: text(violation["field"]),
    description: text(violation["description"]),
    reason: text(violation["reason"]),
  }));
}

export function detailsFromJson(json: Readonly<Record<string, unknown>>): ErrorDetails {
  return {
    reason: text(json["reason"]),
    domain: text(json["domain"]),
    metadata: metadataOf(json["metadata"]),
    violations: violationsOf(json["violations"]),
  };
}
