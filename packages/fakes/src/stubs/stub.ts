// What a fake answers to some requests in place of what it would make up: as data, as stub files hold it and programs write it.
import type { JsonObject } from "@bufbuild/protobuf";
import type { CanonicalCode, ErrorDetails } from "@roundtrip/contract";

/** One answer to one call. `made-up` is what the fake would have answered without the stub. */
export type StubAnswer =
  | { readonly kind: "response"; readonly response: JsonObject }
  | { readonly kind: "responses"; readonly responses: readonly JsonObject[] }
  | {
      readonly kind: "error";
      readonly code: CanonicalCode;
      readonly message: string;
      readonly details: Partial<ErrorDetails>;
    }
  | { readonly kind: "made-up" };

/** Messages are in ProtoJSON; a field may be missing where its zero value is meant. */
export interface Stub {
  /** The operation's id, `acme.v1.Library.GetBook`. */
  readonly operation: string;
  /** A part of the request: what it says has to be there and equal, elements of lists in their order. `{}` is every request. */
  readonly when: JsonObject;
  /** In turn, one for each matching call of a session; the last one stays. At least one. */
  readonly answers: readonly StubAnswer[];
}
