// Serves a contract over GraphQL with Apollo Server on Express.
import { ApolloServer } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import { expressMiddleware } from "@as-integrations/express5";
import { CallError, canonicalCodes, type Service } from "@roundtrip/contract";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import type { GraphQLSchema } from "graphql";
import { expressBody } from "../http/express/express-body.ts";
import { HttpError } from "../http/http-error.ts";
import { serveHttp } from "../http/http-server.ts";
import { checkJsonType, parsedJson } from "../http/json-body.ts";
import { jsonReader } from "../proto-json/exact-json.ts";
import type { Serve, ServeOptions } from "../stack.ts";
import { maxTokens } from "./documents/document-limits.ts";
import { documentRule } from "./documents/document-rules.ts";
import { graphqlPath } from "./http/endpoint.ts";
import { extensionsOf, type formatError } from "./errors.ts";
import { graphqlResponseType } from "./http/media-types.ts";
import { olderCallers } from "./http/older-callers.ts";
import type { GraphqlContext } from "./schema/resolvers.ts";
import { serviceSchema } from "./schema/schema.ts";
import { asksForSchema, checkMayReadSchema, errorFormat, httpContextOf } from "./http/schema-guard.ts";

/** Reads the JSON that a request brings, for Apollo Server, and stops those who may not ask for what it asks. */
function requestReader(service: Service, maxBytes: number): RequestHandler {
  const readBody = expressBody(maxBytes);
  const parse = jsonReader(...service.contract.operations.map(({ input }) => input));
  const judge: RequestHandler = async (request, response, next) => {
    try {
      await checkMayReadSchema(service, request, response);
    } catch (thrown) {
      next(thrown);
      return;
    }
    next();
  };
  return (request, response, next) => {
    const pass = (bytes: Uint8Array | undefined): void => {
      try {
        if (bytes !== undefined) checkJsonType(request.headers["content-type"]);
        request.body = bytes === undefined ? undefined : parsedJson(bytes, parse);
      } catch (thrown) {
        next(thrown);
        return;
      }
      if (asksForSchema(request)) void judge(request, response, next);
      else next();
    };
    readBody(request, response, pass, next);
  };
}

function errorText(error: CallError): string {
  return JSON.stringify({ errors: [{ message: error.message, extensions: extensionsOf(error) }] });
}

function sendError({ headers }: Request, response: Response, error: CallError): void {
  const isNewer = headers.accept?.includes(graphqlResponseType) === true;
  if (error.code === "UNAUTHENTICATED") response.setHeader("www-authenticate", "Bearer");
  response.type(isNewer ? graphqlResponseType : "application/json");
  response.send(errorText(error));
}

/** What went wrong before GraphQL saw the request. */
const onRefusal: ErrorRequestHandler = (thrown, request, response, next) => {
  if (response.headersSent) {
    next(thrown);
    return;
  }
  if (thrown instanceof HttpError) {
    sendError(request, response.status(thrown.status).set(thrown.headers), thrown.error);
    return;
  }
  const error = CallError.from(thrown);
  sendError(request, response.status(canonicalCodes[error.code].http), error);
};

const nothingHere: RequestHandler = (request, response) => {
  const error = new CallError("UNIMPLEMENTED", `nothing at ${request.path}: GraphQL is at ${graphqlPath}`);
  sendError(request, response.status(404), error);
};

/** The page for people, loaded when somebody first opens it. It tells the schema. */
function pageFor(service: Service): RequestHandler {
  let page: RequestHandler | undefined;
  return async (request, response, next) => {
    try {
      await checkMayReadSchema(service, request, response);
      page ??= (await import("./explorer/explorer.ts")).explorer(service.contract);
      await page(request, response, next);
    } catch (thrown) {
      next(thrown);
    }
  };
}

/** Serves streams of results, loaded when the contract has a stream. */
async function streamsOf(schema: GraphQLSchema, format: typeof formatError): Promise<readonly RequestHandler[]> {
  if ((schema.getSubscriptionType() ?? undefined) === undefined) return [];
  const { eventStreams } = await import("./streams/event-stream.ts");
  return [eventStreams(schema, format)];
}

interface Application {
  readonly app: express.Express;
  readonly apollo: ApolloServer<GraphqlContext>;
}

/** What answers for a service. */
async function applicationOf(service: Service, options: ServeOptions): Promise<Application> {
  const schema = serviceSchema(service);
  const format = errorFormat(service);
  const apollo = new ApolloServer<GraphqlContext>({
    schema,
    formatError: format,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens },
    validationRules: [documentRule],
    // A POST is taken as JSON only, which no foreign page can send unasked; a GET changes nothing and says nothing to foreign pages.
    csrfPrevention: false,
    plugins: [
      // Nothing is loaded from elsewhere or sent there, whatever the environment says.
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      // It wraps every resolver to gather hints that a contract does not give.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
  await apollo.start();
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Whatever the environment says: express shows stack traces in answers of its own otherwise.
  app.set("env", "production");
  app.use(
    graphqlPath,
    olderCallers(pageFor(service), requestReader(service, options.maxMessageBytes)),
    ...(await streamsOf(schema, format)),
    expressMiddleware(apollo, {
      // oxlint-disable-next-line require-await
      context: async ({ req, res }) => ({ http: httpContextOf(req, res) }),
    }),
  );
  app.use(nothingHere, onRefusal);
  return { app, apollo };
}

/** Serves at `/graphql`; the address that it returns includes the path. */
export const serve: Serve = async (service, options) => {
  const first = await applicationOf(service, options);
  let { apollo } = first;
  const http = await serveHttp(first.app, options, (error) => ({ type: graphqlResponseType, text: errorText(error) }));
  return {
    url: `${http.url}${graphqlPath}`,
    async replace(next) {
      const other = await applicationOf(next, options);
      http.replace(other.app);
      // The one before is not stopped: requests that it has may still be read. It holds nothing but memory.
      apollo = other.apollo;
    },
    async close() {
      await http.close();
      await apollo.stop();
    },
  };
};
