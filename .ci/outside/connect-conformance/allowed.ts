// Allowed deviations of gRPC servers from Connect's conformance cases, with reasons; those of every server are in `beyond-handlers.ts`.
import type { Allowance } from "../suite.ts";

const occurs = "in every run";
const grpcJs = ["grpc-js"];

export const allowed: readonly Allowance[] = [
  {
    id: "gRPC Unexpected Requests/unexpected-compressed-message actual error {code: 3 *",
    reason: "a request that is marked as compressed and names no encoding is the caller's mistake (0220)",
    occurs,
    stacks: ["grpc-connect-node", "grpc-node-http2"],
  },
  {
    id: "* trailers include a non-empty 'grpc-message' value with zero/okay 'grpc-status'",
    reason: "grpc-js sends the message OK with the status OK",
    occurs,
    stacks: grpcJs,
  },
  {
    id: "gRPC Unexpected Requests/unexpected-compression actual error {code: 3 *",
    reason: "grpc-js looks at an encoding only when a message is marked as compressed",
    occurs,
    stacks: grpcJs,
  },
  ...["unexpected-codec", "unexpected-compressed-message", "unexpected-verb"].map((name): Allowance => ({
    id: `gRPC Unexpected Requests/${name} expecting *`,
    reason: "grpc-js answers any HTTP method, any format behind application/grpc+, and `identity` marked as compressed",
    occurs,
    stacks: grpcJs,
  })),
];
