// Answers of text, with the metadata of a call as headers.
import type { ServerCall } from "@roundtrip/contract";
import type { AnswerHeaders, WholeAnswer } from "./http-answer.ts";

/** A text answer. @param headers in addition to its type and length. */
export function textAnswer(
  status: number,
  type: string,
  text: string,
  headers: AnswerHeaders | undefined,
): WholeAnswer {
  const length = Buffer.byteLength(text);
  return {
    status,
    headers:
      headers === undefined
        ? { "content-type": type, "content-length": length }
        : { ...headers, "content-type": type, "content-length": length },
    body: text,
    cut: undefined,
  };
}

/** The metadata of the answer as headers; undefined without metadata. Throws INTERNAL for invalid metadata. */
export function metadataHeaders(call: ServerCall): AnswerHeaders | undefined {
  const metadata = call.metadataToSend();
  return metadata === undefined ? undefined : Object.fromEntries(metadata);
}
