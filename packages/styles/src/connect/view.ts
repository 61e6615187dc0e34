// One operation in a Connect developer's notation, and the parts that Connect cannot carry.
import type { Operation } from "@roundtrip/contract";
import type { OperationView } from "../basics/style.ts";
import { lostStreams } from "../shared/streams.ts";
import { allowsGet } from "./client/get-request.ts";
import { pathOf } from "./wire-form.ts";

const prefixes = {
  unary: { input: "", output: "" },
  server_streaming: { input: "", output: "stream " },
  client_streaming: { input: "stream ", output: "" },
  bidi_streaming: { input: "stream ", output: "stream " },
} as const satisfies Record<Operation["kind"], { input: string; output: string }>;

export function viewOf(operation: Operation): OperationView {
  const { kind, input, output, method } = operation;
  const prefix = prefixes[kind];
  const verbs = allowsGet(method) ? "GET, POST" : "POST";
  return {
    signature: `${verbs} ${pathOf(operation)} ${prefix.input}${input.name} → ${prefix.output}${output.name}`,
    lost: kind === "bidi_streaming" ? lostStreams(operation) : [],
  };
}
