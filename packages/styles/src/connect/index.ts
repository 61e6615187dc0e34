// Connect: unary calls as plain HTTP requests, and streams as envelopes in a body.
import type { Style } from "../basics/style.ts";
import { limitations } from "./limitations.ts";
import { viewOf } from "./view.ts";

export const style: Style = {
  name: "connect",
  title: "Connect",
  role: "style",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  serverSettings: [],
  deviations: [],
  missingOperationErrors: [],
  autocannon: true,
  k6: "k6's scripts here write requests as text, and Connect's are binary by default",
  // The smallest call without side effects of the built-in contract, as GET.
  health: {
    protocol: "http",
    path: "/roundtrip.v1.CustomerService/GetCustomer?connect=v1&encoding=json&message=%7B%22id%22%3A1%7D",
    headers: {},
  },
  inspection: undefined,
  view: viewOf,
  documents: () => Promise.resolve([]),
};
