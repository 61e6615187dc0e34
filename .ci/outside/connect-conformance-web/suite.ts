// Connect's conformance cases over Connect and gRPC-Web.
import { connectSuite } from "../connect-conformance/connect-suite.ts";

export const suite = connectSuite({
  about: "Connect and gRPC-Web by the conformance cases of Connect's authors, called by connect-go",
  style: "connect",
  allowed: [],
});
