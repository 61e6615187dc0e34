// The GraphQL server that a specialist would write for hello and customers on mercurius and Fastify: Fastify's parser of bodies, and one route. It listens
// like the stack. Errors, which are not timed, use the code of the stack.
import { fastify } from "fastify";
import { mercurius } from "mercurius";
import { formatError, maxTokens } from "@roundtrip/styles/graphql/parts";
import { serveHttp } from "@roundtrip/stacks/parts";
import { handWrittenSchema } from "./graphql-calls.ts";
import type { ServeHandWritten } from "./hand-written.ts";

interface Asked {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

export const serve: ServeHandWritten = async (options) => {
  const app = fastify({ bodyLimit: options.maxMessageBytes });
  await app.register(mercurius, {
    schema: handWrittenSchema(),
    routes: false,
    graphql: { parseOptions: { maxTokens } },
    errorFormatter: ({ data = null, errors }) => ({
      statusCode: 200,
      response: { data, errors: errors.map((error) => formatError(error.toJSON(), error)) },
    }),
  });
  app.post<{ Body: Asked }>("/graphql", ({ raw: req, body }, reply) => {
    reply.header("content-type", "application/graphql-response+json; charset=utf-8");
    return reply.graphql(body.query, { req }, body.variables, body.operationName);
  });
  await app.ready();
  const http = await serveHttp((request, response) => app.routing(request, response), options);
  return {
    url: `${http.url}/graphql`,
    async close() {
      await http.close();
      await app.close();
    },
  };
};
