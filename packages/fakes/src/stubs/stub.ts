// A stub: an answer to some requests, as data in files and programs.
import type { JsonValue } from "@bufbuild/protobuf";
import type { CanonicalCode, ErrorDetails } from "@roundtrip/contract";
import type { HeaderConditions } from "./patterns.ts";

/** How a call fails. */
export interface StubFailure {
  readonly code: CanonicalCode;
  readonly message: string;
  readonly details: Partial<ErrorDetails>;
}

/** What every answer may have beside its messages. */
interface StubAnswerOptions {
  /** Sent with the answer or the error, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether texts in messages, errors and headers take `{{field}}` and `{{headers.name}}` from the call. Default: false. */
  readonly template?: boolean;
}

/**
 * One answer to one call. `response` is for operations that return one message, `responses` for those that return a stream, which may fail after
 * its last message. `made-up` is the answer without the stub.
 */
export type StubAnswer = StubAnswerOptions &
  (
    | { readonly kind: "response"; readonly response: JsonValue }
    | {
        readonly kind: "responses";
        readonly responses: readonly JsonValue[];
        readonly failure: StubFailure | undefined;
      }
    | ({ readonly kind: "error" } & StubFailure)
    | { readonly kind: "made-up" }
  );

/** Messages are in ProtoJSON; missing fields have their zero value. */
export interface Stub {
  /** The operation's id, `acme.v1.Library.GetBook`. */
  readonly operation: string;
  /**
   * A part of the request; for a stream, of the first request. Its members must be present and equal, lists element by element. `{ matches }` and
   * `{ glob }` match texts, `{ contains }` matches lists. `null` matches an unset field. `{}` matches every request.
   */
  readonly when: JsonValue;
  /** Conditions on the headers of the call, or its metadata in gRPC. Default: none. */
  readonly whenHeaders?: HeaderConditions;
  /** The sequence of answers, one for each matching call of a session; the last one repeats. At least one. */
  readonly answers: readonly StubAnswer[];
}
