// What it takes to call an operation: what a stack may have no notation for.
import type { Operation, OperationKind } from "../../contract.ts";
import type { Need } from "../case.ts";

const needs: Readonly<Record<OperationKind, readonly Need[]>> = {
  unary: [],
  server_streaming: ["serverStream"],
  client_streaming: ["clientStream"],
  bidi_streaming: ["bidiStream"],
};

/** What a case needs that calls the operation. */
export function needsOf({ kind }: Operation): readonly Need[] {
  return needs[kind];
}
