// The floor: raw TCP with nothing on top but the length of what is sent. What a style costs is what it costs above this.
import { connectionSettings } from "../connection-settings.ts";
import type { Limitation, Stack } from "../stack.ts";
import { lostStreams } from "../streams.ts";

const noStyle = "the floor echoes the bytes of calls with one request and one response";

const limitations = [
  { feature: "together", reason: noStyle },
  { feature: "metadata", reason: "the floor carries messages and nothing beside them" },
  { feature: "serverStream", reason: noStyle },
  { feature: "clientStream", reason: noStyle },
  { feature: "bidiStream", reason: noStyle },
] as const satisfies readonly Limitation[];

export const stack: Stack = {
  name: "floor",
  style: "floor",
  server: "floor",
  client: "floor",
  title: "TCP echo",
  role: "floor",
  wire: "tcp",
  connectRoundTrips: 0,
  libraries: ["@bufbuild/protobuf"],
  limitations,
  settings: connectionSettings,
  view: (operation) => ({
    signature: `as many bytes as ${operation.input.name} → as many as ${operation.output.name}`,
    lost: lostStreams(operation),
  }),
  documents: () => Promise.resolve([]),
};
