// gRPC over HTTP/2.
import type { Style } from "../style.ts";
import { limitations, viewOf } from "./view.ts";

export const style: Style = {
  name: "grpc",
  title: "gRPC",
  role: "style",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  autocannon: "it speaks HTTP/1.1, and gRPC HTTP/2",
  k6: { module: "grpc" },
  health: { protocol: "grpc" },
  view: viewOf,
  // The contract itself is the document that gRPC's users expect.
  documents: () => Promise.resolve([]),
};
