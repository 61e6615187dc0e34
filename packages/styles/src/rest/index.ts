// REST with JSON over HTTP/1.1, by the contract's `google.api.http` bindings.
import type { Style } from "../basics/style.ts";
import { dialectSettings } from "./dialects/dialect-settings.ts";
import { limitations } from "./limitations.ts";
import { viewOf } from "./view.ts";

export const style: Style = {
  name: "rest",
  title: "REST",
  role: "style",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  serverSettings: dialectSettings,
  deviations: [],
  missingOperationErrors: [],
  autocannon: true,
  k6: { module: "http", message: [], error: [], codes: [["code"], ["error", "status"]] },
  // REST defines no health check; this is the smallest call of the built-in contract.
  health: { protocol: "http", path: "/v1/hello?name=probe", headers: {} },
  inspection: { kind: "page", title: "API page", path: "/docs" },
  view: viewOf,
  async documents(contract) {
    const { openApi } = await import("./openapi/openapi.ts");
    return [{ fileName: "openapi.yaml", text: openApi(contract) }];
  },
};
