// REST: JSON over HTTP/1.1, with routes by `google.api.http`.
import type { Limitation, Style } from "../basics/style.ts";
import { dialectSettings } from "./dialects.ts";
import { viewOf } from "./view.ts";

export const limitations = [
  {
    feature: "together",
    reason: "an HTTP request names one resource; there is no standard for several in one",
  },
  {
    feature: "bidiStream",
    reason: "over HTTP/1.1, browsers and fetch read an answer only after the request is sent",
  },
] as const satisfies readonly Limitation[];

export const docsPath = "/docs";
/** The paths of pages. Routes of the contract take precedence. */
export const documentPaths: readonly string[] = [docsPath, "/openapi.yaml", "/openapi.json"];

// REST with JSON over HTTP/1.1, by the contract's `google.api.http` bindings.

export const style: Style = {
  name: "rest",
  title: "REST",
  role: "style",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  serverSettings: dialectSettings,
  deviations: [],
  missingOperationReasons: [],
  autocannon: true,
  k6: { module: "http", message: [], error: [], codes: [["code"], ["error", "status"]] },
  // REST defines no health check; this is the smallest call of the built-in contract.
  endpoint: "",
  health: { protocol: "http", path: "/v1/hello?name=probe", headers: {} },
  documentPaths,
  inspection: { kind: "page", title: "API page", path: "/docs" },
  view: viewOf,
  async documents(contract) {
    const { openApi } = await import("./openapi/openapi.ts");
    return [{ fileName: "openapi.yaml", text: openApi(contract) }];
  },
};
