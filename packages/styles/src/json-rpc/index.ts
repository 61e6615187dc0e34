// JSON-RPC 2.0 over HTTP/1.1: its description and limitations.
import type { Style } from "../basics/style.ts";
import { limitations } from "./limitations.ts";
import { openRpcPath } from "./endpoint.ts";
import { viewOf } from "./view.ts";

export const style: Style = {
  name: "json-rpc",
  title: "JSON-RPC",
  role: "style",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  serverSettings: [],
  deviations: [],
  missingOperationErrors: [],
  autocannon: true,
  k6: { module: "http", message: ["result"], error: ["error"], codes: [["data", "code"]] },
  // JSON-RPC defines no health check, and calls need POST; this is the only GET request that is answered.
  health: { protocol: "http", path: openRpcPath, headers: {} },
  // The address of a server includes the path of the page.
  inspection: { kind: "page", title: "JSON-RPC page", path: "" },
  view: viewOf,
  async documents(contract) {
    const { openRpcText } = await import("./openrpc/openrpc.ts");
    return [{ fileName: "openrpc.json", text: openRpcText(contract) }];
  },
};
