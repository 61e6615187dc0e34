// One operation in a Connect developer's notation, and the parts that Connect cannot carry.
import type { Operation } from "@roundtrip/contract";
import type { OperationView } from "../basics/style.ts";
import { lostStreams, streamPrefixes } from "../shared/streams.ts";
import { allowsGet } from "./client/get-request.ts";
import { pathOf } from "./wire-form.ts";

export function viewOf(operation: Operation): OperationView {
  const { kind, input, output, method } = operation;
  const prefix = streamPrefixes[kind];
  const verbs = allowsGet(method) ? "GET, POST" : "POST";
  return {
    signature: `${verbs} ${pathOf(operation)} ${prefix.input}${input.name} → ${prefix.output}${output.name}`,
    lost: kind === "bidi_streaming" ? lostStreams(operation) : [],
  };
}
