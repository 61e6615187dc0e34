// gRPC with grpc-js on both ends: the description of the stack, without its library.
import type { Limitation, Stack } from "../stack.ts";
import { settings } from "./library/grpc-js-settings.ts";
import { grpcLimitations, viewOf } from "./view.ts";

const limitations = [
  ...grpcLimitations,
  {
    feature: "tlsResumption",
    reason: "grpc-js keeps no TLS session for a next connection: each has a full handshake",
  },
] as const satisfies readonly Limitation[];

export const stack: Stack = {
  name: "grpc-js",
  style: "grpc",
  server: "grpc-js",
  client: "grpc-js",
  title: "gRPC",
  role: "style",
  wire: "http/2",
  // The server's SETTINGS, which HTTP/2 lets a client not wait for, and grpc-js does.
  connectRoundTrips: 1,
  libraries: ["@grpc/grpc-js", "@bufbuild/protobuf"],
  limitations,
  settings,
  view: viewOf,
  // The contract itself is the document that gRPC's users expect.
  documents: () => Promise.resolve([]),
};
