// Errors as RFC 9457 problem details, both ways. An HTTP status stands for several canonical codes, so the body carries the code.
import { CallError, canonicalCodes, codeFromHttp, isCanonicalCode } from "@roundtrip/contract";
import { STATUS_CODES } from "../shared/http/node-http.ts";
import { detailsFromJson, detailsToJson, record, text, type ErrorDetailsJson } from "../shared/error-details-json.ts";
import type { WriteFaultBody } from "../shared/http/fault-body.ts";
import type { HttpResponse } from "../shared/http/http-message.ts";

/** The media type of an error's body. */
export const problemType = "application/problem+json";

/** RFC 9457, with the canonical error as extension members; those that are empty are left out. */
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

/** The problem details of an error. The status is that of its code, unless HTTP has a sharper one (404, 405, 413, 415). */
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

/** The body of an answer to a request that HTTP itself refuses. */
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

/** The error in problem details, exactly the server's; undefined for what carries no canonical code. */
function errorInProblem(problem: Readonly<Record<string, unknown>>): CallError | undefined {
  const { code, detail } = problem;
  if (!isCanonicalCode(code)) return undefined;
  return new CallError(code, text(detail), detailsFromJson(problem));
}

/** The error that a response tells of: exactly the server's, or what its status means when somebody else answered. */
export function errorOf({ status, body }: Pick<HttpResponse, "status" | "body">): CallError {
  const problem = record(jsonOf(body));
  const said = text(problem["detail"]) || text(problem["title"]) || titleOf(status);
  return errorInProblem(problem) ?? new CallError(codeFromHttp(status), `HTTP ${status}: ${said}`);
}

/** The error that a stream ends with; undefined for what are no problem details. */
export function errorFrom(problem: unknown): CallError | undefined {
  return errorInProblem(record(problem));
}
