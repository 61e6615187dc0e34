// Converts CallErrors to JSON-RPC error objects and back. `code` is JSON-RPC's number; `data` has the canonical code and google.rpc's details.
import { jsonMediaType } from "../shared/call-headers.ts";
import {
  CallError,
  canonicalCodes,
  codeFromHttp,
  isCanonicalCode,
  type CanonicalCode,
  type ErrorDetails,
} from "@roundtrip/contract";
import type { WriteFaultBody } from "../shared/http/http-service.ts";
import { record, text, detailsFromAny, detailsToAny, type AnyJson } from "../shared/error-details.ts";

/** `error` of a response. */
export interface RpcErrorJson {
  readonly code: number;
  readonly message: string;
  readonly data: {
    readonly code: CanonicalCode;
    /** google.rpc.ErrorInfo and google.rpc.BadRequest in ProtoJSON; absent without details. */
    readonly details?: readonly AnyJson[];
  };
}

/** Numbers of the specification (section 5.1). */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
} as const;

const ofSpecification: Readonly<Partial<Record<CanonicalCode, number>>> = {
  INVALID_ARGUMENT: rpcCodes.invalidParams,
  UNIMPLEMENTED: rpcCodes.methodNotFound,
  INTERNAL: rpcCodes.internalError,
};

/** The number of a canonical code: the specification's if it has one; otherwise gRPC's, which is outside the reserved range. */
export function rpcCodeOf(code: CanonicalCode): number {
  return ofSpecification[code] ?? canonicalCodes[code].grpc;
}

/** @param number undefined for that of the canonical code. */
export function errorJson({ code, message, details }: CallError, number = rpcCodeOf(code)): RpcErrorJson {
  const packed = detailsToAny(details);
  return { code: number, message, data: packed.length === 0 ? { code } : { code, details: packed } };
}

/** A response to a request whose id is unknown. @param number undefined for that of the canonical code. */
export function refusalText(error: CallError, number?: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id: null, error: errorJson(error, number) });
}

/** The answer to requests that HTTP itself refuses. */
export const writeRefusal: WriteFaultBody = (error) => ({ type: jsonMediaType, text: refusalText(error) });

/** Numbers of the specification in errors of other servers, which have no canonical code. */
const byNumber: ReadonlyMap<unknown, CanonicalCode> = new Map([
  [rpcCodes.parseError, "INVALID_ARGUMENT"],
  [rpcCodes.invalidRequest, "INVALID_ARGUMENT"],
  [rpcCodes.methodNotFound, "UNIMPLEMENTED"],
  [rpcCodes.invalidParams, "INVALID_ARGUMENT"],
  [rpcCodes.internalError, "INTERNAL"],
]);

function codeIn(error: Readonly<Record<string, unknown>>, status: number): CanonicalCode {
  const { code } = record(error["data"]);
  if (isCanonicalCode(code)) return code;
  return byNumber.get(error["code"]) ?? (status === 200 ? "UNKNOWN" : codeFromHttp(status));
}

/** The CallError of a server's error object, which is not trusted. @param status of HTTP. */
export function callErrorOf(json: unknown, status = 200): CallError {
  const error = record(json);
  const { details } = record(error["data"]);
  const known: Partial<ErrorDetails> = Array.isArray(details) ? detailsFromAny(details) : {};
  return new CallError(codeIn(error, status), text(error["message"]), known);
}
