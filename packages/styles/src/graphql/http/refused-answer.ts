// The answer to a request that GraphQL refuses before it calls a resolver.
import type { WholeAnswer } from "../../shared/http/http-answer.ts";
import type { FormatError } from "../errors.ts";
import { sentError } from "../result-errors.ts";
import type { AnswerType } from "./answer-type.ts";
import { olderStatus, type Audience } from "./audience.ts";

/** @param errors are those of a document or a result without data. */
export function refusedAnswer(
  errors: readonly Error[],
  format: FormatError,
  { type, audience }: { readonly type: AnswerType; readonly audience: Audience },
): WholeAnswer {
  const body = JSON.stringify({ errors: errors.map((error) => sentError(error, format)) });
  return {
    status: audience === "older" ? olderStatus(400, body) : 400,
    headers: { "content-type": `${type}; charset=utf-8`, "content-length": Buffer.byteLength(body) },
    body,
    cut: undefined,
  };
}
