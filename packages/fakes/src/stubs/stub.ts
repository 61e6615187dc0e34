// What a fake answers to some requests in place of what it would make up: as data, as stub files hold it and programs write it.
import type { JsonValue } from "@bufbuild/protobuf";
import type { CanonicalCode, ErrorDetails } from "@roundtrip/contract";

/** How a call fails. */
export interface StubFailure {
  readonly code: CanonicalCode;
  readonly message: string;
  readonly details: Partial<ErrorDetails>;
}

/**
 * One answer to one call. `response` is for operations that give one, `responses` for those that give a stream, which may fail behind
 * its last message. `made-up` is what the fake would have answered without the stub.
 */
export type StubAnswer =
  | { readonly kind: "response"; readonly response: JsonValue }
  | { readonly kind: "responses"; readonly responses: readonly JsonValue[]; readonly failure: StubFailure | undefined }
  | ({ readonly kind: "error" } & StubFailure)
  | { readonly kind: "made-up" };

/** Messages are in ProtoJSON; a field may be missing where its zero value is meant. */
export interface Stub {
  /** The operation's id, `acme.v1.Library.GetBook`. */
  readonly operation: string;
  /**
   * A part of the request, of a stream of requests the first: what it says has to be there and equal, lists element by element. `null` is
   * a field that is not set. `{}` is every request.
   */
  readonly when: JsonValue;
  /** In turn, one for each matching call of a session; the last one stays. At least one. */
  readonly answers: readonly StubAnswer[];
}
