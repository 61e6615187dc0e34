// The GraphQL server that a specialist would write for hello and customers on GraphQL Yoga, with the options of the stack. It listens like the stack.
// Errors, which are not timed, use the code of the stack.
import { createYoga } from "#graphql-yoga";
import { parse } from "graphql";
import { formatError, maxTokens } from "@roundtrip/styles/graphql/parts";
import { serveHttp } from "@roundtrip/stacks/parts";
import { handWrittenSchema } from "./graphql-calls.ts";
import type { ServeHandWritten } from "./hand-written.ts";

export const serve: ServeHandWritten = async (options) => {
  const yoga = createYoga({
    // Resolvers get the request as `req`.
    schema: handWrittenSchema(),
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    maskedErrors: false,
    maxRequestBodySize: options.maxMessageBytes,
    multipart: false,
    plugins: [
      {
        onParse({ setParseFn }) {
          setParseFn((source, given) => parse(source, { ...given, maxTokens }));
        },
        onResultProcess({ result, setResult }) {
          const { errors } = result;
          if (errors === undefined) return;
          setResult({ ...result, errors: errors.map((error) => formatError(error.toJSON(), error)) });
        },
      },
    ],
  });
  const http = await serveHttp(yoga, options);
  return {
    url: `${http.url}/graphql`,
    async close() {
      await http.close();
      await yoga.dispose();
    },
  };
};
