// The common part of GraphQL servers.
import {
  type AnswerDocument,
  type GraphqlParts,
  graphqlParts,
  graphqlPath,
  graphqlService,
  graphqlSettings,
  httpFault,
} from "@roundtrip/styles/graphql/server";
import type { Serve, ServeOptions } from "../basics/stack.ts";
import { type OpenedService, serveBy, servedSettings } from "../shared/node-server/serve-service.ts";
import { splitSettings } from "../shared/settings.ts";
import { graphqlSockets } from "./web-sockets.ts";

export interface GraphqlLibrary extends Pick<OpenedService, "connect" | "close"> {
  readonly answer: AnswerDocument;
}

/** Serves at `/graphql`. @param libraryOf rejects for a schema that the library cannot execute. */
export function graphqlBy(
  libraryOf: (parts: GraphqlParts, options: ServeOptions) => GraphqlLibrary | Promise<GraphqlLibrary>,
): Serve {
  // oxlint-disable-next-line require-await -- unknown settings reject
  return async (served, given) => {
    const { own, others } = splitSettings(graphqlSettings, servedSettings, given.settings);
    const serve = serveBy({ path: graphqlPath, writeFault: httpFault }, async (service, options) => {
      const parts = graphqlParts(service, own);
      const { answer, ...library } = await libraryOf(parts, options);
      const http = await graphqlService({ service, ...options }, { ...parts, answer });
      return { ...library, http, sockets: graphqlSockets(http, options) };
    });
    return serve(served, { ...given, settings: others });
  };
}
