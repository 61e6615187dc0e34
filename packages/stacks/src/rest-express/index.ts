// REST with JSON over HTTP/1.1, by the contract's `google.api.http` bindings.
import { httpSettings } from "../http/http-settings.ts";
import type { Stack } from "../stack.ts";
import { limitations } from "./limitations.ts";
import { viewOf } from "./view.ts";

export const stack: Stack = {
  name: "rest-express",
  style: "rest",
  server: "express",
  client: "undici",
  title: "REST",
  role: "style",
  wire: "http/1.1",
  connectRoundTrips: 0,
  libraries: ["express", "undici", "@bufbuild/protobuf"],
  limitations,
  settings: httpSettings,
  view: viewOf,
  async documents(contract) {
    const { openApi } = await import("./openapi/openapi.ts");
    return [{ fileName: "openapi.yaml", text: openApi(contract) }];
  },
};
