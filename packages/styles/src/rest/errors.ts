// Converts errors to RFC 9457 problem details and back. Several canonical codes share an HTTP status, so the body carries the code.
import { CallError, canonicalCodes, codeFromHttp, isCanonicalCode } from "@roundtrip/contract";
import { STATUS_CODES } from "../shared/http/node-http.ts";
import { detailsFromJson, detailsToJson, record, text, type ErrorDetailsJson } from "../shared/error-details-json.ts";
import type { WriteFaultBody } from "../shared/http/fault-body.ts";
import type { HttpResponse } from "../shared/http/http-message.ts";

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

/** The body of an answer to a request that the HTTP library refuses. */
export const writeProblem: WriteFaultBody = (error, status) => ({
  type: problemType,
  text: JSON.stringify(problemOf(error, status)),
});

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The server's error in problem details; undefined without a canonical code. */
function errorInProblem(problem: Readonly<Record<string, unknown>>): CallError | undefined {
  const { code, detail } = problem;
  if (!isCanonicalCode(code)) return undefined;
  return new CallError(code, text(detail), detailsFromJson(problem));
}

/** The error in a response: the server's, or one for the HTTP status if the body has no canonical code. */
export function errorOf({ status, body }: Pick<HttpResponse, "status" | "body">): CallError {
  const problem = record(jsonOf(body));
  const said = text(problem["detail"]) || text(problem["title"]) || titleOf(status);
  return errorInProblem(problem) ?? new CallError(codeFromHttp(status), `HTTP ${status}: ${said}`);
}

/** The error that ends a stream; undefined for anything but problem details. */
export function errorFrom(problem: unknown): CallError | undefined {
  return errorInProblem(record(problem));
}
