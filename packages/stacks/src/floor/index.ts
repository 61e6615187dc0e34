// The floor: raw TCP with nothing on top but the length of what is sent. What a style costs is what it costs above this.
import type { Limitation, Stack } from "../stack.ts";

const noStyle = "the floor echoes the bytes of calls with one request and one response";

const limitations = [
  { feature: "together", reason: noStyle },
  { feature: "serverStream", reason: noStyle },
  { feature: "clientStream", reason: noStyle },
  { feature: "bidiStream", reason: noStyle },
] as const satisfies readonly Limitation[];

export const stack: Stack = {
  name: "floor",
  title: "TCP echo",
  role: "floor",
  wire: "tcp",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  view: ({ kind, input, output }) => ({
    signature: `as many bytes as ${input.name} → as many as ${output.name}`,
    lost: kind === "unary" ? [] : [noStyle],
  }),
  documents: () => Promise.resolve([]),
};
