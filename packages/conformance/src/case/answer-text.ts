// Answers to raw bytes, in words.
import type { RawAnswer } from "@roundtrip/styles";

/** For example `HTTP 400 INVALID_ARGUMENT`. */
export function answerText({ httpStatus, code }: RawAnswer): string {
  if (httpStatus === undefined) return "no answer";
  return code === undefined ? `HTTP ${httpStatus}` : `HTTP ${httpStatus} ${code}`;
}

/** What is wrong with an answer: `got HTTP 200 OK, expected HTTP 400 INVALID_ARGUMENT`; undefined if it is allowed. */
export function answerFault(answer: RawAnswer, allowed: readonly RawAnswer[]): string | undefined {
  const texts = allowed.map(answerText);
  const got = answerText(answer);
  return texts.includes(got) ? undefined : `got ${got}, expected ${texts.join(" or ")}`;
}
