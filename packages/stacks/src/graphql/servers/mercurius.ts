// Serves a contract over GraphQL with mercurius and Fastify. Requests and statuses are the style's, because libraries word wrong requests
// differently (docs/decisions/0021-routes-of-our-own-on-express.md).
import {
  answerTypeFor,
  askedOperation,
  documentStore,
  graphqlPath,
  httpContextOf,
  maxCachedTexts,
  paramsOf,
  refusedAnswer,
  type RequestParams,
  sentError,
  TextCache,
} from "@roundtrip/styles/graphql/server";
import { fastify, type FastifyInstance, type FastifyReply } from "fastify";
import { execute, type ExecutionResult, OperationTypeNode } from "graphql";
import { mercurius } from "mercurius";
import { decodedBytes } from "../../shared/node-server/request-body.ts";
import { type GraphqlExchange, graphqlListener, type GraphqlParts, type ReceivedGraphql } from "../graphql-listener.ts";
import { graphqlBy } from "../serve-graphql.ts";

/** A request as this server passes it to Fastify. */
interface Asked {
  readonly exchange: GraphqlExchange;
  readonly params: RequestParams;
  readonly type: ReturnType<typeof answerTypeFor>;
}

interface AskedRequest extends ReceivedGraphql {
  asked: Asked;
}

/** A document, and whether mercurius may execute it: its own cache limits the number of documents, but not their length. */
interface KnownDocument {
  readonly checked: ReturnType<ReturnType<typeof documentStore>>;
  readonly isForMercurius: boolean;
}

/** Checks documents before mercurius does, which would also take a syntax tree in JSON. */
function knownDocuments(schema: GraphqlParts["schema"], onEmptied: () => void): (query: string) => KnownDocument {
  const check = documentStore(schema, false);
  const known = new TextCache<KnownDocument>(onEmptied);
  return (query) => {
    const before = known.get(query);
    if (before !== undefined) return before;
    const checked = check(query);
    if ("errors" in checked) return { checked, isForMercurius: false };
    const made = { checked, isForMercurius: true };
    return known.set(query, made) ? made : { checked, isForMercurius: false };
  };
}

/** The result of a request that mercurius refuses: its variables are invalid. Rethrows everything else. */
function refusedByMercurius(thrown: unknown): ExecutionResult {
  const { errors } = thrown as Pick<ExecutionResult, "errors">;
  if (errors === undefined) throw thrown;
  return { errors };
}

type Execute = (reply: FastifyReply, asked: Asked) => ExecutionResult | Promise<ExecutionResult>;

function executor({ schema }: GraphqlParts, onEmptied: () => void): Execute {
  const documentOf = knownDocuments(schema, onEmptied);
  return (reply, asked) => {
    const { request, response } = asked.exchange;
    const { query, operationName, variables = {} } = asked.params;
    const known = documentOf(query);
    if ("errors" in known.checked) return known.checked;
    const { document } = known.checked;
    const found = askedOperation(schema, document, { operationName, method: request.method });
    if ("errors" in found) return found;
    const context = { http: httpContextOf(request, response) };
    // mercurius executes no subscription, and passes a root value that is not its message.
    if (!known.isForMercurius || found.operation.operation === OperationTypeNode.SUBSCRIPTION) {
      return execute({ schema, document, operationName, variableValues: variables, contextValue: context });
    }
    return reply.graphql(query, context, variables, operationName).catch(refusedByMercurius);
  };
}

function send(reply: FastifyReply, { data, errors }: ExecutionResult, asked: Asked, { format }: GraphqlParts): void {
  const { exchange, type } = asked;
  if (data === undefined) {
    const { status, headers, body } = refusedAnswer(errors ?? [], format, { type, audience: exchange.audience });
    reply.code(status).headers(headers).send(body);
    return;
  }
  reply
    .header("content-type", `${type}; charset=utf-8`)
    .send(errors === undefined ? { data } : { errors: errors.map((error) => sentError(error, format)), data });
}

async function openedFastify(parts: GraphqlParts): Promise<FastifyInstance> {
  const app = fastify({
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: () => ({}) },
  });
  // Bodies are read before Fastify, within the limit of every server.
  app.addHttpMethod("POST", { hasBody: false, overrideExisting: true });
  await app.register(mercurius, {
    schema: parts.schema,
    routes: false,
    jit: 0,
    cache: maxCachedTexts,
    // Errors are formatted by the style.
    errorFormatter: (execution) => ({ statusCode: 200, response: execution }),
  });
  // Empties mercurius's cache too, which limits the number of documents but not their length.
  const run = executor(parts, () => app.graphql.replaceSchema(parts.schema));
  app.route({
    method: ["GET", "POST"],
    url: graphqlPath,
    handler(request, reply) {
      const { asked } = request.raw as unknown as AskedRequest;
      const answer = (result: ExecutionResult): void => send(reply, result, asked, parts);
      const fail = (thrown: unknown): void => {
        reply.hijack();
        asked.exchange.fail(thrown);
      };
      try {
        const result = run(reply, asked);
        if (result instanceof Promise) result.then(answer).catch(fail);
        else answer(result);
      } catch (thrown) {
        fail(thrown);
      }
    },
  });
  await app.ready();
  return app;
}

export const serve = graphqlBy(async (parts, { maxMessageBytes }) => {
  const app = await openedFastify(parts);
  const listener = await graphqlListener(parts, {
    read: decodedBytes(maxMessageBytes),
    answer(exchange) {
      const { request, response } = exchange;
      const asked = { exchange, params: paramsOf(request), type: answerTypeFor(request.headers.accept) };
      app.routing(Object.assign(request, { asked }), response);
    },
  });
  return { listener, close: () => app.close() };
});
