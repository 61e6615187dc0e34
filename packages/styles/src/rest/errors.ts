// Converts errors to RFC 9457 problem details, and reads errors of every dialect. Several canonical codes share an HTTP status, so the body carries
// the code.
import {
  CallError,
  canonicalCodes,
  ClientSideError,
  codeFromGrpc,
  codeFromHttp,
  isCanonicalCode,
  jsonIn,
  type CanonicalCode,
} from "@roundtrip/contract";
import {
  detailsFromJson,
  detailsToJson,
  isWithoutDetails,
  record,
  STATUS_CODES,
  text,
  type ErrorDetailsJson,
  detailsFromAny,
} from "../shared/error-details.ts";
import type { HttpResponse } from "../shared/http/client.ts";

export const problemType = "application/problem+json";

/** RFC 9457, with the canonical error as extension members; empty ones are omitted. */
export interface Problem extends ErrorDetailsJson {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
}

function titleOf(status: number): string {
  return status === 499 ? "Client Closed Request" : (STATUS_CODES[status] ?? "Error");
}

/** The problem details of an error. The status is that of its code, unless HTTP has a more specific one (404, 405, 413, 415). */
export function problemOf(error: CallError, status: number = canonicalCodes[error.code].http): Problem {
  return {
    type: "about:blank",
    title: titleOf(status),
    status,
    detail: error.message,
    code: error.code,
    ...detailsToJson(error.details),
  };
}

/** The server's error in problem details; undefined without a canonical code. */
function errorInProblem(problem: Readonly<Record<string, unknown>>): CallError | undefined {
  const { code, detail } = problem;
  if (!isCanonicalCode(code)) return undefined;
  return new CallError(code, text(detail), detailsFromJson(problem));
}

/** The largest number of a canonical code; larger ones are HTTP statuses. */
const largestCode = canonicalCodes.UNAUTHENTICATED.grpc;

/** The code of a google.rpc.Status: its name in `status`, as Google's APIs write, or a number in `code` or `grpc_code`, as grpc-gateway does. */
function codeOfStatus(json: Readonly<Record<string, unknown>>): CanonicalCode | undefined {
  const { status, code, grpc_code: earlier } = json;
  if (isCanonicalCode(status)) return status;
  const number = typeof earlier === "number" ? earlier : code;
  if (typeof number !== "number" || !Number.isInteger(number) || number <= 0) return undefined;
  if (number <= largestCode) return codeFromGrpc(number);
  return codeFromHttp(number);
}

/** The error in a google.rpc.Status with a message; undefined for other JSON. */
function errorInStatus(json: Readonly<Record<string, unknown>>): CallError | undefined {
  const code = codeOfStatus(json);
  const { message, details } = json;
  if (code === undefined || typeof message !== "string") return undefined;
  return new CallError(code, message, detailsFromAny(Array.isArray(details) ? details : []));
}

/** The error in JSON, in any dialect: problem details, a google.rpc.Status, or `{"error": …}` around one; undefined for other JSON. */
export function errorFrom(json: unknown): CallError | undefined {
  const outer = record(Array.isArray(json) ? json[0] : json);
  return errorInProblem(outer) ?? errorInStatus(record(outer["error"])) ?? errorInStatus(outer);
}

/** Whether the error has only the phrase of its status, as that of grpc-gateway's router. A service may give the same for what it does not find. */
export function isBareNotFound({ status, body }: Pick<HttpResponse, "status" | "body">): boolean {
  const error = status === 404 ? errorFrom(jsonIn(body.toString())) : undefined;
  return error?.code === "NOT_FOUND" && error.message === titleOf(404) && isWithoutDetails(error.details);
}

/** The error in a response: the server's, or one of the client for the HTTP status if the body has no error of the contract. */
export function errorOf({ status, body }: Pick<HttpResponse, "status" | "body">): CallError {
  const json = jsonIn(body.toString());
  const problem = record(json);
  const explanation = text(problem["detail"]) || text(problem["title"]) || titleOf(status);
  return errorFrom(json) ?? new ClientSideError(codeFromHttp(status), `HTTP ${status}: ${explanation}`);
}
