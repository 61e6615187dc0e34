// Answers of a GraphQL server other than results of documents.
import { CallError, canonicalCodes } from "@roundtrip/contract";
import type { WholeAnswer } from "../../shared/http/http-answer.ts";
import { HttpError } from "../../shared/http/http-error.ts";
import type { WriteFaultBody } from "../../shared/http/fault-body.ts";
import { extensionsOf } from "../errors.ts";
import { graphqlPath } from "./endpoint.ts";
import { graphqlResponseType } from "./media-types.ts";

function textOf(error: CallError): string {
  return JSON.stringify({ errors: [{ message: error.message, extensions: extensionsOf(error) }] });
}

/** The answer to requests that HTTP itself refuses. */
export const httpFault: WriteFaultBody = (error) => ({ type: graphqlResponseType, text: textOf(error) });

/** The answer to an error before GraphQL execution. @param thrown an HttpError, or anything that {@link CallError.from} accepts. */
export function errorAnswer(thrown: unknown, accept: string | undefined): WholeAnswer {
  const { status, headers, error } =
    thrown instanceof HttpError ? thrown : { status: undefined, headers: {}, error: CallError.from(thrown) };
  const isNewer = accept?.includes(graphqlResponseType) === true;
  const body = textOf(error);
  return {
    status: status ?? canonicalCodes[error.code].http,
    headers: {
      ...headers,
      // A 401 states how to authenticate (RFC 9110, section 15.5.2).
      ...(error.code === "UNAUTHENTICATED" ? { "www-authenticate": "Bearer" } : {}),
      "content-type": `${isNewer ? graphqlResponseType : "application/json"}; charset=utf-8`,
      "content-length": Buffer.byteLength(body),
    },
    body,
    cut: undefined,
  };
}

/** The answer at any other path. */
export function nothingAt(path: string, accept: string | undefined): WholeAnswer {
  const error = new CallError("UNIMPLEMENTED", `nothing at ${path}: GraphQL is at ${graphqlPath}`);
  return errorAnswer(new HttpError(404, error), accept);
}
