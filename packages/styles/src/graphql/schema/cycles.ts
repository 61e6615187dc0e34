// Finds recursive message types. No document can select all of such a type.
import { cyclesBy, memoize } from "@roundtrip/contract";
import type { Model } from "./model.ts";

/** The cycle of each message type; undefined for a type that is not recursive. */
export const cyclesOf = memoize((model: Model) =>
  cyclesBy((message) =>
    model.shapes(message).flatMap(({ value }) => (value.kind === "message" ? [value.message] : [])),
  ),
);
