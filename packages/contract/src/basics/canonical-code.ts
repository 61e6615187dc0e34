// The sixteen canonical error codes and their spelling on each style. All stacks translate errors with this table.

/** One canonical code: its gRPC status number and the HTTP status that stands for it (google/rpc/code.proto). */
interface CodeRow {
  readonly grpc: number;
  readonly http: number;
}

/** Canonical name → gRPC status number and HTTP status. GraphQL carries the canonical name itself in `extensions.code`. */
export const canonicalCodes = {
  CANCELLED: { grpc: 1, http: 499 },
  UNKNOWN: { grpc: 2, http: 500 },
  INVALID_ARGUMENT: { grpc: 3, http: 400 },
  DEADLINE_EXCEEDED: { grpc: 4, http: 504 },
  NOT_FOUND: { grpc: 5, http: 404 },
  ALREADY_EXISTS: { grpc: 6, http: 409 },
  PERMISSION_DENIED: { grpc: 7, http: 403 },
  RESOURCE_EXHAUSTED: { grpc: 8, http: 429 },
  FAILED_PRECONDITION: { grpc: 9, http: 400 },
  ABORTED: { grpc: 10, http: 409 },
  OUT_OF_RANGE: { grpc: 11, http: 400 },
  UNIMPLEMENTED: { grpc: 12, http: 501 },
  INTERNAL: { grpc: 13, http: 500 },
  UNAVAILABLE: { grpc: 14, http: 503 },
  DATA_LOSS: { grpc: 15, http: 500 },
  UNAUTHENTICATED: { grpc: 16, http: 401 },
} as const satisfies Record<string, CodeRow>;

/** The name of a canonical code, as `google.rpc.Code` spells it. */
export type CanonicalCode = keyof typeof canonicalCodes;

const byGrpcNumber = new Map<number, CanonicalCode>(
  Object.entries(canonicalCodes).map(([name, row]) => [row.grpc, name as CanonicalCode]),
);

/** True for the sixteen names, false for anything else, including `OK`, which is not an error. */
export function isCanonicalCode(value: unknown): value is CanonicalCode {
  return typeof value === "string" && Object.hasOwn(canonicalCodes, value);
}

/** The code of a gRPC status number; `UNKNOWN` for numbers outside 1…16, as gRPC asks of clients. */
export function codeFromGrpc(status: number): CanonicalCode {
  return byGrpcNumber.get(status) ?? "UNKNOWN";
}

const byHttpStatus: Readonly<Record<number, CanonicalCode>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  406: "INVALID_ARGUMENT",
  408: "DEADLINE_EXCEEDED",
  409: "ABORTED",
  413: "RESOURCE_EXHAUSTED",
  415: "INVALID_ARGUMENT",
  422: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  431: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  501: "UNIMPLEMENTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** The code that an HTTP status stands for when no body names one: the mapping is many to one, so this is a best guess. */
export function codeFromHttp(status: number): CanonicalCode {
  return byHttpStatus[status] ?? "UNKNOWN";
}
