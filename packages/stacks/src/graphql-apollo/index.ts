// GraphQL with Apollo Server on Express: what it is called, what it cannot carry, and what a contract becomes.
import { httpSettings } from "../http/http-settings.ts";
import type { Stack } from "../stack.ts";
import { limitations } from "./limitations.ts";
import { viewOf } from "./view.ts";

export const stack: Stack = {
  name: "graphql-apollo",
  style: "graphql",
  server: "apollo",
  client: "undici",
  title: "GraphQL",
  role: "style",
  wire: "http/1.1",
  connectRoundTrips: 0,
  libraries: ["@apollo/server", "@as-integrations/express5", "express", "graphql", "undici", "@bufbuild/protobuf"],
  limitations,
  settings: httpSettings,
  view: viewOf,
  async documents(contract) {
    const { sdlOf } = await import("./schema/sdl.ts");
    return [{ fileName: "schema.graphql", text: sdlOf(contract) }];
  },
};
