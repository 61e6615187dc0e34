// Serves a contract over GraphQL with GraphQL Yoga and node:http. Requests and statuses are the style's, because libraries word wrong requests
// differently (docs/decisions/0021-routes-of-our-own-on-express.md).
import { createYoga, type YogaPlugin } from "#graphql-yoga";
import {
  documentRule,
  documentStore,
  errorAnswer,
  type GraphqlContext,
  type GraphqlParts,
  graphqlPath,
  type GraphqlRequest,
  maxTokens,
  onlyByPost,
  refusedAnswer,
  sentError,
  TextCache,
} from "@roundtrip/styles/graphql/server";
import type { WholeAnswer } from "@roundtrip/styles/http/server";
import { execute, GraphQLError, type GraphQLSchema, isObjectType, parse } from "graphql";
import { graphqlBy } from "../serve-graphql.ts";

/** What Yoga passes to plugins and resolvers. */
interface YogaContext extends GraphqlContext {
  readonly asked: GraphqlRequest;
}

interface YogaErrorExtensions {
  readonly code?: unknown;
  readonly http?: { readonly status?: number };
}

function extensionsOf(error: Error | undefined): YogaErrorExtensions {
  return error instanceof GraphQLError ? error.extensions : {};
}

type Refuse = (errors: readonly Error[], request: GraphqlRequest) => WholeAnswer;

/** Answers documents and variables that GraphQL refuses. */
function refusing({ schema, domain, format }: GraphqlParts): Refuse {
  const check = documentStore(schema, false);
  return (errors, request) => {
    const { code, http } = extensionsOf(errors[0]);
    const isMutationByGet = http?.status === 405;
    if (isMutationByGet || code === "OPERATION_RESOLUTION_FAILURE") {
      // Yoga looks for the operation first, other servers validate the document first.
      const checked = check(request.params.query);
      if ("errors" in checked) return refusedAnswer(checked.errors, format, request);
    }
    if (isMutationByGet) return errorAnswer(onlyByPost("mutation"), request.type, domain);
    return refusedAnswer(errors, format, request);
  };
}

/** Whether a message has a field `then`. Yoga's executor takes every object with one for a promise. */
function hasThen(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some(
    (type) => isObjectType(type) && Object.hasOwn(type.getFields(), "then"),
  );
}

/** The contract's limits on documents, and its errors. */
function stylePlugin(parts: GraphqlParts): YogaPlugin<YogaContext> {
  const { format } = parts;
  const refuse = refusing(parts);
  const needsOtherExecutor = hasThen(parts.schema);
  return {
    onRequestParse({ serverContext: { asked }, setRequestParser }) {
      setRequestParser(() => asked.params);
    },
    onParse({ setParseFn }) {
      setParseFn((source, options) => parse(source, { ...options, maxTokens }));
    },
    onValidate({ addValidationRule }) {
      addValidationRule(documentRule);
    },
    onExecute({ setExecuteFn }) {
      if (needsOtherExecutor) setExecuteFn(execute);
    },
    onSubscribe({ setSubscribeFn }) {
      // Only events carry subscriptions. Executed like a query, each says how it is read.
      setSubscribeFn(execute);
    },
    onResultProcess({ result, serverContext: { asked }, setResult, setResultProcessor }) {
      const { errors, data } = result;
      if (errors === undefined) return;
      if (data !== undefined) {
        setResult({ ...result, errors: errors.map((error) => sentError(error, format)) });
        return;
      }
      const { status, headers, body } = refuse(errors, asked);
      const init = { status, headers: headers as Record<string, string> };
      setResultProcessor((_result, { Response }) => new Response(body as string, init), asked.type);
    },
  };
}

export const serve = graphqlBy((parts) => {
  const yoga = createYoga<YogaContext>({
    schema: parts.schema,
    graphqlEndpoint: graphqlPath,
    batching: false,
    multipart: false,
    maxRequestBodySize: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    // Errors are masked by the style, and expected ones are no news.
    maskedErrors: false,
    logging: false,
    // Yoga's own caches limit the number of texts, but not their length.
    parserAndValidationCache: { documentCache: new TextCache(), errorCache: new TextCache() },
    plugins: [stylePlugin(parts)],
  });
  return {
    async answer(request) {
      const { method, type, context } = request;
      // Yoga ignores the weights of the header Accept.
      const init = { method, headers: { accept: type, "content-type": "application/json" } };
      const answered = await yoga.fetch(`http://localhost${graphqlPath}`, init, { ...context, asked: request });
      const body = await answered.text();
      const headers = { ...Object.fromEntries(answered.headers), "content-length": Buffer.byteLength(body) };
      return { status: answered.status, headers, body, cut: undefined };
    },
    close: () => yoga.dispose(),
  };
});
