// Answers and faults as values, with the handler's metadata.
import { CallError, TooSlow, type ServerCall } from "@roundtrip/contract";
import type { AnswerHeaders, WholeAnswer } from "../../shared/http/http-answer.ts";
import { HttpError } from "../../shared/http/http-error.ts";
import { metadataHeaders, textAnswer } from "../../shared/http/text-answer.ts";
import type { SoapDialect } from "../envelope/soap-version.ts";
import { faultText, statusOf } from "../errors.ts";

interface Ending {
  readonly error: CallError;
  readonly status: number;
  readonly headers: AnswerHeaders | undefined;
}

function endingOf(thrown: unknown, dialect: SoapDialect): Ending {
  if (thrown instanceof HttpError) return { error: thrown.error, status: thrown.status, headers: thrown.headers };
  const error = CallError.from(thrown);
  // RFC 9110, section 15.5.9: the server does not wait for the rest of a slow request.
  if (thrown instanceof TooSlow) return { error, status: 408, headers: { connection: "close" } };
  return { error, status: statusOf(error, dialect), headers: undefined };
}

/** The fault of any thrown value. @param call undefined if the request was refused before the call began */
export function faultAnswer(thrown: unknown, dialect: SoapDialect, call: ServerCall | undefined): WholeAnswer {
  let ending = endingOf(thrown, dialect);
  let metadata: AnswerHeaders | undefined;
  try {
    if (call !== undefined) metadata = metadataHeaders(call);
  } catch (unsendable) {
    ending = endingOf(unsendable, dialect);
  }
  const headers = { ...metadata, ...ending.headers };
  return textAnswer(ending.status, dialect.contentType, faultText(ending.error, dialect), headers);
}
