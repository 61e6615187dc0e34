// GraphQL requests in logs: each root field of the document is a call, with its arguments and its selection.
import { CallError, type Contract } from "@roundtrip/contract";
import { execute, type GraphQLSchema } from "graphql";
import type { LoggedCall, LoggedCalls, LoggedRequest } from "../basics/style.ts";
import { missingBody, splitTarget } from "../shared/http/captured-calls.ts";
import { documentStore } from "./documents/store.ts";
import { graphqlPath } from "./index.ts";
import { paramsOf, type RequestParams } from "./http.ts";
import { edgesOf } from "./edges/edges.ts";
import { graphqlModel } from "./schema/model.ts";
import { requestReader } from "./schema/resolvers.ts";
import { contractSchema } from "./schema/schema.ts";
import { codecsOf } from "./values/codec.ts";

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", "the body is no JSON", {}, { cause });
  }
}

function paramsIn({ method, target, body }: LoggedRequest): RequestParams {
  try {
    return paramsOf({ method, url: target, headers: {} }, body === undefined ? undefined : parsed(body));
  } catch (cause) {
    if (cause instanceof CallError) throw cause;
    throw new CallError("INVALID_ARGUMENT", (cause as Error).message, {}, { cause });
  }
}

/** Executes documents with resolvers that note their calls. */
class CapturingSchema {
  readonly calls: LoggedCall[] = [];
  readonly #schema: GraphQLSchema;
  readonly #documentOf: ReturnType<typeof documentStore>;

  constructor(contract: Contract) {
    const model = graphqlModel(contract);
    const codecOf = codecsOf(model);
    this.#schema = contractSchema(edgesOf(model), (root) => {
      const read = requestReader(root, edgesOf(model), codecOf(root.operation.input).decode);
      return {
        resolve: (_source, args, _context, info) => {
          this.calls.push({ operation: root.operation, request: read(args, info), isWhole: true });
          return null;
        },
      };
    });
    this.#documentOf = documentStore(this.#schema);
  }

  async execute({ query, operationName, variables }: RequestParams): Promise<readonly LoggedCall[]> {
    const checked = this.#documentOf(query);
    if ("errors" in checked) {
      throw new CallError("INVALID_ARGUMENT", checked.errors[0]?.message ?? "the document is invalid");
    }
    this.calls.length = 0;
    // A field without an answer is an error of the result, which nobody reads.
    await execute({ schema: this.#schema, document: checked.document, operationName, variableValues: variables });
    return [...this.calls];
  }
}

export const loggedCalls: LoggedCalls = (contract) => {
  // Made for the first request: most logs have one style.
  let schema: CapturingSchema | undefined;
  return async (request) => {
    const { path, query: search } = splitTarget(request.target);
    if (path !== graphqlPath || (request.method !== "POST" && request.method !== "GET")) return [];
    if (request.method === "GET" && search === "") return [];
    if (request.method === "POST" && request.body === undefined) throw missingBody();
    schema ??= new CapturingSchema(contract);
    return schema.execute(paramsIn(request));
  };
};
