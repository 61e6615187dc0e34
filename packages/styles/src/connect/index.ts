// Connect: unary calls as plain HTTP, streams in envelopes.
import { type Operation, methodPath } from "@roundtrip/contract";
import type { Limitation, OperationView, Style } from "../basics/style.ts";
import { allowsGet } from "./wire.ts";
import { lostStreams, streamPrefixes } from "../shared/limitations.ts";

export function viewOf(operation: Operation): OperationView {
  const { kind, input, output, method } = operation;
  const prefix = streamPrefixes[kind];
  const verbs = allowsGet(method) ? "GET, POST" : "POST";
  return {
    signature: `${verbs} ${methodPath(operation.method)} ${prefix.input}${input.name} → ${prefix.output}${output.name}`,
    lost: kind === "bidi_streaming" ? lostStreams(operation) : [],
  };
}

export const limitations = [
  { feature: "together", reason: "a Connect call carries one method; calls in parallel share connections instead" },
  {
    feature: "bidiStream",
    reason: "Connect needs HTTP/2 for this; the default here is HTTP/1.1",
  },
] as const satisfies readonly Limitation[];

export const style: Style = {
  name: "connect",
  title: "Connect",
  role: "style",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  serverSettings: [],
  deviations: [],
  missingOperationReasons: [],
  autocannon: true,
  k6: "binary",
  // The smallest call without side effects of the built-in contract, as GET.
  endpoint: "",
  health: {
    protocol: "http",
    path: "/roundtrip.v1.CustomerService/GetCustomer?connect=v1&encoding=json&message=%7B%22id%22%3A1%7D",
    headers: {},
  },
  documentPaths: [],
  inspection: {
    kind: "command",
    hint: "buf finds the contract by reflection:",
    command: (url) =>
      `npx @bufbuild/buf curl ${url.startsWith("https:") ? "--cacert FILE" : "--http2-prior-knowledge"} --list-methods ${url}`,
  },
  view: viewOf,
  documents: () => Promise.resolve([]),
};
