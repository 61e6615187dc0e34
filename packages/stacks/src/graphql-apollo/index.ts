// GraphQL with Apollo Server on Express: what it is called, what it cannot carry, and what a contract becomes.
import type { Stack } from "../stack.ts";
import { streamReasons, viewOf } from "./view.ts";

export const stack: Stack = {
  name: "graphql-apollo",
  title: "GraphQL",
  role: "style",
  wire: "http/1.1",
  libraries: ["@apollo/server", "@as-integrations/express5", "express", "graphql", "undici"],
  limitations: [
    { feature: "serverStream", reason: streamReasons.server_streaming },
    { feature: "clientStream", reason: streamReasons.client_streaming },
    { feature: "bidiStream", reason: streamReasons.bidi_streaming },
  ],
  view: viewOf,
  async documents(contract) {
    const { sdlOf } = await import("./sdl.ts");
    return [{ fileName: "roundtrip.graphql", text: sdlOf(contract) }];
  },
};
