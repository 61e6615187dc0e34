// Serves a contract over GraphQL with mercurius and Fastify. Requests and statuses are the style's, because libraries word wrong requests
// differently (docs/decisions/0021-routes-of-our-own-on-express.md).
import {
  askedOperation,
  documentStore,
  type GraphqlParts,
  type GraphqlRequest,
  maxCachedTexts,
  resultAnswer,
  TextCache,
} from "@roundtrip/styles/graphql/server";
import type { FastifyInstance } from "fastify";
import { execute, type ExecutionResult, OperationTypeNode } from "graphql";
import { mercurius } from "mercurius";
import { FastifyApplication } from "../../shared/servers/fastify.ts";
import { graphqlBy } from "../serve-graphql.ts";

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

type Execute = (request: GraphqlRequest) => ExecutionResult | Promise<ExecutionResult>;

function executor(app: FastifyInstance, { schema }: GraphqlParts): Execute {
  // Empties mercurius's cache too, which limits the number of documents but not their length.
  const documentOf = knownDocuments(schema, () => app.graphql.replaceSchema(schema));
  return ({ method, params, context }) => {
    const { query, operationName, variables = {} } = params;
    const known = documentOf(query);
    if ("errors" in known.checked) return known.checked;
    const { document } = known.checked;
    const found = askedOperation(schema, document, { operationName, method });
    if ("errors" in found) return found;
    // mercurius executes no subscription, and passes a root value that is not its message.
    if (!known.isForMercurius || found.operation.operation === OperationTypeNode.SUBSCRIPTION) {
      return execute({ schema, document, operationName, variableValues: variables, contextValue: context });
    }
    return app.graphql(query, { ...context }, variables, operationName).catch(refusedByMercurius);
  };
}

export const serve = graphqlBy(async (parts, options) => {
  const fastify = new FastifyApplication(options);
  await fastify.app.register(mercurius, {
    schema: parts.schema,
    routes: false,
    jit: 0,
    cache: maxCachedTexts,
    // Errors are formatted by the style.
    errorFormatter: (execution) => ({ statusCode: 200, response: execution }),
  });
  const executed = executor(fastify.app, parts);
  return {
    connect: (service, _options, coding) => fastify.serve(service, coding),
    answer: async (request) => resultAnswer(await executed(request), parts.format, request),
  };
});
