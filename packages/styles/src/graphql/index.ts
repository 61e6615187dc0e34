// GraphQL over HTTP/1.1: what it cannot carry, and what a contract becomes.
import type { Style } from "../style.ts";
import { limitations } from "./limitations.ts";
import { viewOf } from "./view.ts";

export const style: Style = {
  name: "graphql",
  title: "GraphQL",
  role: "style",
  libraries: ["graphql", "@bufbuild/protobuf"],
  limitations,
  autocannon: true,
  k6: { module: "http", message: ["data", "*"], error: ["errors", "0"], code: ["extensions", "code"] },
  // The smallest query. By its own media type, the status reports errors too.
  health: {
    protocol: "http",
    path: "/graphql?query=%7B__typename%7D",
    headers: { Accept: "application/graphql-response+json" },
  },
  inspection: { kind: "page", title: "Explorer", path: "" },
  view: viewOf,
  async documents(contract) {
    const { sdlOf } = await import("./schema/sdl.ts");
    return [{ fileName: "schema.graphql", text: sdlOf(contract) }];
  },
};
