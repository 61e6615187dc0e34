// Allowed deviations from Connect's conformance cases, with reasons: of gRPC servers, and of every server, because a handler here cannot do what cases ask for.
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

export const beyondHandlers: readonly Allowance[] = [
  {
    id: '* actual response trailers missing "x-custom-trailer"',
    reason: "handlers set metadata before an answer, which every style can carry; there are no trailers beside it",
    occurs,
    stacks: "all",
  },
  {
    id: "* actual error contain 0 details; expecting *",
    reason: "an error has a reason, metadata and violations on every style, and no details of other types",
    occurs,
    stacks: "all",
  },
  {
    id: "* server did not echo back a timeout but one was expected *",
    reason: "handlers get a signal that is aborted at the deadline, and cannot read the deadline",
    occurs,
    stacks: "all",
  },
  {
    id: '* actual response headers missing "x-custom-header"',
    reason: "a stream that fails before its first answer has its metadata with the error, where it counts as trailers",
    occurs,
    stacks: "all",
  },
];
