// The floor: raw TCP with nothing on top but the length of what is sent. What a style costs is what it costs above this.
import { lostStreams } from "../shared/streams.ts";
import type { Style } from "../style.ts";
import { limitations } from "./limitations.ts";

export const style: Style = {
  name: "floor",
  title: "TCP echo",
  role: "floor",
  libraries: ["@bufbuild/protobuf"],
  limitations,
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
