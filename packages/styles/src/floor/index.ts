// The floor: raw TCP with only the length of each message. The cost of a style is its cost above the floor.
import { lostStreams } from "../shared/streams.ts";
import type { Style } from "../basics/style.ts";
import { limitations } from "./limitations.ts";

export const style: Style = {
  name: "floor",
  title: "TCP echo",
  role: "floor",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  serverSettings: [],
  deviations: [],
  missingOperationErrors: [],
  autocannon: "it speaks HTTP/1.1, and the floor nothing above TCP",
  k6: "k6 does not speak the floor's protocol",
  health: undefined,
  inspection: undefined,
  view: (operation) => ({
    signature: `as many bytes as ${operation.input.name} → as many as ${operation.output.name}`,
    lost: lostStreams(operation),
  }),
  documents: () => Promise.resolve([]),
};
