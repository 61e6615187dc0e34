// Connect's conformance cases over Connect and gRPC-Web.
import { connectSuite } from "../connect-conformance/connect-suite.ts";

export const suite = connectSuite({
  about: "Connect and gRPC-Web by the conformance cases of Connect's authors, called by connect-go",
  style: "connect",
  allowed: [
    {
      id: "Connect Unexpected Requests/unexpected-compressed-message actual error {code: 3 *",
      reason: "a request that is marked as compressed and names no encoding is the caller's mistake (0220)",
      occurs: "in every run",
      stacks: "all",
    },
  ],
});
