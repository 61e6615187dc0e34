// Reads the response of a GraphQL server without trusting it: data, or the error of the first failed call.
import { CallError, codeFromHttp, jsonIn } from "@roundtrip/contract";
import type { JsonFields } from "../values/codec.ts";
import { callErrorOf, type ErrorJson } from "../errors.ts";
import type { Question } from "./question.ts";

export interface ResponseJson {
  readonly data?: JsonFields | null;
  readonly errors?: readonly ErrorJson[];
}

/** The error of a body that is no GraphQL response. */
export function invalidResponse(status: number): CallError {
  const code = status === 200 ? "UNKNOWN" : codeFromHttp(status);
  return new CallError(code, `invalid GraphQL response (HTTP status ${status})`);
}

/** Parses a response body. Throws a CallError by the HTTP status for an invalid one. */
export function responseOf(status: number, body: string): ResponseJson {
  const json = jsonIn(body) ?? null;
  if (typeof json === "object" && json !== null && ("data" in json || "errors" in json)) return json;
  throw invalidResponse(status);
}

/** The data of a response. Throws the error of the first failed call. */
export function dataOf({ data, errors }: ResponseJson, status: number, questions: readonly Question[]): JsonFields {
  const [anyError] = errors ?? [];
  if (anyError !== undefined) {
    const names = questions.map(({ answerName }) => answerName);
    const ranked = (errors ?? []).toSorted(
      (a, b) => names.indexOf(String(a.path?.[0])) - names.indexOf(String(b.path?.[0])),
    );
    const chosen = ranked[0] ?? anyError;
    const error = callErrorOf(chosen, status);
    // Errors of GraphQL itself have no path; nearly all documents have one call.
    const asked = questions.find(({ answerName }) => answerName === chosen.path?.[0]) ?? questions[0];
    throw asked?.restored(error) ?? error;
  }
  if (data === undefined || data === null) throw new CallError("INTERNAL", "the answer has neither data nor errors");
  return data;
}
