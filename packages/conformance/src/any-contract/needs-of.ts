// The needs of an operation: features that a stack may not support.
import type { Operation, OperationKind } from "@roundtrip/contract";
import type { Need } from "../case/case.ts";

const needs: Readonly<Record<OperationKind, readonly Need[]>> = {
  unary: [],
  server_streaming: ["serverStream"],
  client_streaming: ["clientStream"],
  bidi_streaming: ["bidiStream"],
};

/** The needs of a case that calls the operation. */
export function needsOf({ kind, bindings: [{ method, body }] }: Operation): readonly Need[] {
  if (method === "TRACE") return [...needs[kind], "traceMethod"];
  const hasBodyOfGet = (method === "GET" || method === "HEAD") && body !== "";
  return hasBodyOfGet ? [...needs[kind], "bodyOfGet"] : needs[kind];
}
