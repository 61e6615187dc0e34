// Connect's conformance cases over gRPC.
import { allowed } from "./allowed.ts";
import { connectSuite } from "./connect-suite.ts";

export const suite = connectSuite({
  about: "gRPC by the conformance cases of Connect's authors, called by connect-go and grpc-go",
  style: "grpc",
  allowed,
});
