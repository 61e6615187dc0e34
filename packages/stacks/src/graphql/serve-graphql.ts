// The common part of GraphQL servers: schema, listening, replacement and shutdown.
import { errorFormat, graphqlPath, httpFault, serviceSchema } from "@roundtrip/styles/graphql/server";
import type { RequestListener } from "node:http";
import type { Serve, ServeOptions } from "../basics/stack.ts";
import { serveHttp } from "../shared/node-server/http-server.ts";
import type { GraphqlParts } from "./graphql-listener.ts";

/** A library with a schema. */
export interface GraphqlApplication {
  readonly listener: RequestListener;
  /** Ends the library after the last answer. */
  readonly close: () => Promise<void>;
}

/** Serves at `/graphql`. The returned address includes this path. @param applicationOf connects the library with a schema; rejects if it cannot. */
export function graphqlBy(
  applicationOf: (parts: GraphqlParts, options: ServeOptions) => Promise<GraphqlApplication>,
): Serve {
  return async (service, options) => {
    const { maxMessageBytes, examplesOf } = options;
    const open = (served: typeof service): Promise<GraphqlApplication> => {
      const schema = serviceSchema(served);
      const parts = { service: served, schema, format: errorFormat(served), maxMessageBytes, examplesOf };
      return applicationOf(parts, options);
    };
    let current = await open(service);
    const http = await serveHttp(current.listener, options, httpFault);
    return {
      url: `${http.url}${graphqlPath}`,
      async replace(next) {
        // The earlier application keeps running, because its requests may still be read. It only occupies memory.
        current = await open(next);
        http.replace(current.listener);
      },
      async close() {
        await http.close();
        await current.close();
      },
    };
  };
}
