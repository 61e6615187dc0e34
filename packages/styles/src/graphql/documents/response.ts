// What a GraphQL server answers, as far as it can be trusted: the data, or the error of the first call that failed.
import { CallError, codeFromHttp } from "@roundtrip/contract";
import type { JsonFields } from "../values/codec.ts";
import { callErrorOf, type ErrorJson } from "../errors.ts";
import type { Question } from "./question.ts";

export interface ResponseJson {
  readonly data?: JsonFields | null;
  readonly errors?: readonly ErrorJson[];
}

/** The response in a body. Throws a CallError by the HTTP status for anything else. */
export function responseOf(status: number, body: string): ResponseJson {
  try {
    const json: unknown = JSON.parse(body);
    if (typeof json === "object" && json !== null && ("data" in json || "errors" in json)) return json as ResponseJson;
  } catch {
    // Said below.
  }
  const code = status === 200 ? "UNKNOWN" : codeFromHttp(status);
  throw new CallError(code, `not an answer of a GraphQL server (HTTP status ${status})`);
}

/** The data of a response; throws the error of the first call that failed. */
export function dataOf({ data, errors }: ResponseJson, status: number, questions: readonly Question[]): JsonFields {
  const [anyError] = errors ?? [];
  if (anyError !== undefined) {
    const names = questions.map(({ answerName }) => answerName);
    const ranked = (errors ?? []).toSorted(
      (a, b) => names.indexOf(String(a.path?.[0])) - names.indexOf(String(b.path?.[0])),
    );
    const chosen = ranked[0] ?? anyError;
    const error = callErrorOf(chosen, status);
    // What GraphQL refuses by itself has no path, and is about a call alone in nearly all documents.
    const asked = questions.find(({ answerName }) => answerName === chosen.path?.[0]) ?? questions[0];
    throw asked?.restored(error) ?? error;
  }
  if (data === undefined || data === null) throw new CallError("INTERNAL", "the answer has neither data nor errors");
  return data;
}
