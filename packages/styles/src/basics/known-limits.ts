// The type of a style's known limits: values that it cannot carry by its nature. A test that compares answers of styles leaves them out.
import type { DescField, Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";

export interface CallMessages {
  readonly operation: Operation;
  /** One for an operation without a stream of requests. */
  readonly requests: readonly Message[];
  readonly reply: {
    readonly answers: readonly Message[];
    /** The error that ends the call, after the answers; undefined for success. */
    readonly error: Error | undefined;
  };
}

/** Calls whose messages a style cannot carry, or carries in part. */
export interface KnownLimit {
  readonly reason: string;
  /** What is still the same as on other styles: the canonical code, or nothing. */
  readonly compared: "code" | "nothing";
  readonly appliesTo: (call: CallMessages, contract: Contract) => boolean;
}

/** Spellings of a JSON value that other styles accept and this one refuses. */
export interface SpellingLimit {
  readonly reason: string;
  /** @param isText whether the value is spelled as a string */
  readonly appliesTo: (field: DescField, isText: boolean) => boolean;
}

/** What `known-limits.ts` of a style exports as `knownLimits`. */
export interface KnownLimits {
  readonly calls: readonly KnownLimit[];
  /** Empty for a style that is not written in JSON. */
  readonly spellings: readonly SpellingLimit[];
}
