// gRPC over HTTP/2.
import type { Style } from "../basics/style.ts";
import { limitations, viewOf } from "./view.ts";

export const style: Style = {
  name: "grpc",
  title: "gRPC",
  role: "style",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  serverSettings: [],
  deviations: [],
  missingOperationErrors: [],
  autocannon: "it speaks HTTP/1.1, and gRPC HTTP/2",
  k6: { module: "grpc" },
  health: { protocol: "grpc" },
  inspection: {
    kind: "command",
    hint: "Tools such as grpcurl and Postman find the contract by reflection. With buf:",
    // Without TLS, the client must be configured to use HTTP/2.
    command: (url) =>
      `npx @bufbuild/buf curl --protocol grpc ${url.startsWith("https:") ? "--cacert FILE" : "--http2-prior-knowledge"} --list-methods ${url}`,
  },
  view: viewOf,
  // gRPC users expect the contract itself.
  documents: () => Promise.resolve([]),
};
