// Features that an echo of bytes cannot support.
import type { Limitation, Style } from "../basics/style.ts";
import { lostStreams } from "../shared/limitations.ts";

const noStyle = "the floor echoes the bytes of calls with one request and one response";

export const limitations = [
  { feature: "together", reason: noStyle },
  { feature: "metadata", reason: "the floor carries messages only" },
  { feature: "serverStream", reason: noStyle },
  { feature: "clientStream", reason: noStyle },
  { feature: "bidiStream", reason: noStyle },
] as const satisfies readonly Limitation[];

// The floor: raw TCP with only the length of each message. The cost of a style is its cost above the floor.

export const style: Style = {
  name: "floor",
  title: "TCP echo",
  role: "floor",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  serverSettings: [],
  deviations: [],
  missingOperationReasons: [],
  autocannon: "it speaks HTTP/1.1, and the floor nothing above TCP",
  k6: "protocol",
  endpoint: "",
  health: undefined,
  documentPaths: [],
  inspection: undefined,
  view: (operation) => ({
    signature: `as many bytes as ${operation.input.name} → as many as ${operation.output.name}`,
    lost: lostStreams(operation),
  }),
  documents: () => Promise.resolve([]),
};
