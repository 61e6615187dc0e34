// Resolvers of root fields: convert arguments to a request, call the service, and convert its message to the result.
import { create, type Message } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { CallError, fieldPaths, type Service } from "@roundtrip/contract";
import type { GraphQLFieldResolver, GraphQLResolveInfo } from "graphql";
import type { Codec, JsonFields } from "../values/codec.ts";
import { fieldName } from "./field-name.ts";
import type { DocumentLoads } from "../edges/document-loads.ts";
import { type EdgesOf, edgesOf } from "../edges/edges.ts";
import type { Model, RootField } from "./model.ts";
import { readMaskReader } from "./read-mask.ts";
import type { SharedCalls } from "../../shared/http/shared-calls.ts";

export interface GraphqlContext {
  /** The calls of one request. Each root field of its document is a separate, concurrent call. */
  readonly http: SharedCalls;
  /** The calls behind edges. */
  readonly loads: DocumentLoads;
}

export type Resolve = GraphQLFieldResolver<unknown, GraphqlContext, Record<string, unknown>>;

/** The resolvers of a root field: `subscribe` returns the stream, `resolve` converts its messages to results. */
export interface RootResolvers {
  readonly resolve: Resolve;
  readonly subscribe?: Resolve;
}

type ReadRequest = (args: JsonFields, info: GraphQLResolveInfo) => Message;

/** Reads the request of a root field from its arguments and its selection. Throws INVALID_ARGUMENT. */
export function requestReader({ root, operation }: RootField, edges: EdgesOf, decode: Codec["decode"]): ReadRequest {
  const requestOf: Codec["decode"] =
    root === "mutation" ? (args) => decode((args["input"] ?? {}) as Record<string, unknown>) : decode;
  const mask = operation.readMask?.localName;
  const readMaskOf = readMaskReader(edges, operation.output);
  const read = (args: JsonFields): Message => {
    try {
      return requestOf(args);
    } catch (thrown) {
      throw new CallError("INVALID_ARGUMENT", (thrown as Error).message, {}, { cause: thrown });
    }
  };
  if (mask === undefined) return read;
  return (args, info) => {
    const request = read(args);
    const paths = readMaskOf(info);
    if (paths.length > 0) {
      (request as unknown as Record<string, unknown>)[mask] = create(FieldMaskSchema, { paths: [...paths] });
    }
    return request;
  };
}

async function* alone(request: Message): AsyncGenerator<Message, void, undefined> {
  yield await Promise.resolve(request);
}

const subscriptionWays =
  "subscriptions require a WebSocket with graphql-transport-ws, Accept: text/event-stream, or Accept: multipart/mixed; subscriptionSpec=1.0";

export function resolversOf(root: RootField, model: Model, decode: Codec["decode"], service: Service): RootResolvers {
  const { operation, isEmpty } = root;
  const read = requestReader(root, edgesOf(model), decode);
  const fields = fieldPaths(operation.input, fieldName, fieldName);
  const fail = (thrown: unknown): never => {
    throw fields.spelled(CallError.from(thrown));
  };
  const answerOf = (message: Message): unknown => (isEmpty ? true : message);
  if (root.root === "subscription") {
    return {
      subscribe(_source, args, { http }, info) {
        const request = read(args, info);
        return http.answerStream((one) => service.stream(operation, alone(request), one), fail);
      },
      resolve(message, _args, { loads }) {
        // A server without streams executes a subscription like a query, without a message.
        if (message === undefined) fail(new CallError("INVALID_ARGUMENT", subscriptionWays));
        loads.restart();
        return answerOf(message as Message);
      },
    };
  }
  const call = (http: SharedCalls, request: Message): Message | Promise<Message> => {
    try {
      return http.answerCall((one) => service.call(operation, request, one));
    } catch (thrown) {
      return fail(thrown);
    }
  };
  if (root.root === "query") {
    return {
      resolve(_source, args, { http }, info) {
        const answer = call(http, read(args, info));
        return answer instanceof Promise ? answer.then(answerOf, fail) : answerOf(answer);
      },
    };
  }
  return {
    async resolve(_source, args, { http, loads }, info) {
      try {
        return answerOf(await call(http, read(args, info)));
      } catch (thrown) {
        return fail(thrown);
      } finally {
        loads.forget();
      }
    },
  };
}
