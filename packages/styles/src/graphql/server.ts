// Serves a service over GraphQL without a server library: bindings execute documents, pass HTTP requests and write answers.
import type { ServerCall, Service } from "@roundtrip/contract";
import { graphqlPath } from "./index.ts";
import {
  errorAnswer,
  errorFormat,
  GraphqlExchange,
  type GraphqlParts,
  type GraphqlServer,
  nothingAt,
} from "./exchange.ts";
import { audienceOf } from "./http.ts";
import { serviceSchema } from "./schema/schema.ts";
import { type Describe, type DescribedServer, descriptionAnswer } from "../shared/http/description-answer.ts";
import {
  metadataHeaders,
  originForm,
  type ReceivedRequest,
  type RoutedService,
  type ServedExchange,
  SettledExchange,
  type WholeAnswer,
} from "../shared/http/http-service.ts";
import { jsonReader } from "../shared/proto-json/json-text.ts";

export { askedOperation } from "./documents/document-rules.ts";
export { maxTokens } from "./documents/document-limits.ts";
export { documentRule } from "./documents/document-rules.ts";
export { documentStore } from "./documents/store.ts";
export { maxCachedTexts, TextCache } from "./documents/store.ts";
export { type FormatError } from "./errors.ts";
export { olderStatus, onlyByPost } from "./http.ts";
export { graphqlPath } from "./index.ts";
export {
  type AnswerDocument,
  errorAnswer,
  type GraphqlParts,
  type GraphqlRequest,
  httpFault,
  refusedAnswer,
  resultAnswer,
} from "./exchange.ts";
export { refusedBy, sentError } from "./documents/document-rules.ts";
export { type GraphqlContext } from "./schema/resolvers.ts";

const page: Describe = async ({ service: { contract }, examplesOf }, origin, metadata) => {
  const { graphqlPage } = await import("./page.ts");
  return graphqlPage(contract, `${origin}${graphqlPath}`, await examplesOf(contract), metadata);
};

function exchangeOf(server: GraphqlServer, received: ReceivedRequest): ServedExchange {
  const { accept } = received.headers;
  const [path = ""] = originForm(received.url).split("?", 1);
  if (path !== graphqlPath && path !== `${graphqlPath}/`) return new SettledExchange(nothingAt(path, accept));
  if (audienceOf(received) !== "people") return new GraphqlExchange(server, received);
  const refuse = (thrown: unknown, call: ServerCall | undefined): WholeAnswer => {
    try {
      const metadata = call === undefined ? undefined : metadataHeaders(call);
      const answer = errorAnswer(thrown, accept);
      return { ...answer, headers: { ...metadata, ...answer.headers } };
    } catch (unsendable) {
      return errorAnswer(unsendable, accept);
    }
  };
  return new SettledExchange(descriptionAnswer(server, received, { describe: page, refuse }));
}

export function graphqlParts(service: Service): GraphqlParts {
  return { schema: serviceSchema(service), format: errorFormat(service) };
}

export async function graphqlService(
  described: DescribedServer,
  library: Pick<GraphqlServer, "schema" | "format" | "answer">,
): Promise<RoutedService> {
  const { schema } = library;
  const server: GraphqlServer = {
    ...described,
    ...library,
    parse: jsonReader(...described.service.contract.operations.map(({ input }) => input)),
    answerEvents:
      (schema.getSubscriptionType() ?? undefined) === undefined
        ? undefined
        : (await import("./streams/results.ts")).eventAnswers(library),
  };
  const begin = (request: ReceivedRequest): ServedExchange => exchangeOf(server, request);
  const plainRoutes = ["GET", "POST"].map((method) => ({ method, segments: [graphqlPath.slice(1)], begin }));
  return { begin, plainRoutes };
}
