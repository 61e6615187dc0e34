// The GraphQL server that a specialist would write for hello and customers on GraphQL Yoga, with the options of the stack. It listens like the stack.
// Errors, which are not timed, use the code of the stack.
import { createYoga } from "#graphql-yoga";
import { parse } from "graphql";
import type { RequestListener } from "node:http";
import { formatError, maxTokens } from "@roundtrip/styles/graphql/parts";
import { serveHttp } from "@roundtrip/stacks/parts";
import { handWrittenSchema } from "./graphql-calls.ts";
import type { ServeHandWritten } from "./hand-written.ts";

interface Context {
  /** The parsed body. */
  readonly params: object;
}

export const serve: ServeHandWritten = async (options) => {
  const yoga = createYoga<Context>({
    // Resolvers get the request as `req`.
    schema: handWrittenSchema(),
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    maskedErrors: false,
    maxRequestBodySize: false,
    multipart: false,
    plugins: [
      {
        onRequestParse({ serverContext, setRequestParser }) {
          setRequestParser(() => serverContext.params);
        },
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
  // Bodies are read before Yoga, like those of the stack: Yoga's own reading takes about as long as all the rest.
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      void yoga(request, response, { params: JSON.parse(Buffer.concat(chunks).toString()) as object });
    });
  };
  const http = await serveHttp(listener, options);
  return {
    url: `${http.url}/graphql`,
    async close() {
      await http.close();
      await yoga.dispose();
    },
  };
};
