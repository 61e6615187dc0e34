// The part of GraphQL Yoga that the hand-written server uses, for the compiler; `#graphql-yoga` in package.json is the library itself. Its own types refer
// to the library of the browser, whose globals would then exist in every file of this project.
import type { DocumentNode, ExecutionResult, GraphQLSchema, ParseOptions, Source } from "graphql";
import type { IncomingMessage, ServerResponse } from "node:http";

type Parse = (source: string | Source, options?: ParseOptions) => DocumentNode;

interface YogaPlugin<Context> {
  readonly onRequestParse: (event: {
    readonly serverContext: Context;
    readonly setRequestParser: (parser: () => object) => void;
  }) => void;
  readonly onParse: (event: { readonly setParseFn: (parse: Parse) => void }) => void;
  readonly onResultProcess: (event: {
    readonly result: ExecutionResult;
    readonly setResult: (result: object) => void;
  }) => void;
}

interface YogaOptions<Context> {
  readonly schema: GraphQLSchema;
  readonly batching: boolean;
  readonly cors: boolean;
  readonly graphiql: boolean;
  readonly landingPage: boolean;
  readonly logging: boolean;
  readonly maskedErrors: boolean;
  readonly maxRequestBodySize: false;
  readonly multipart: boolean;
  readonly plugins: readonly YogaPlugin<Context>[];
}

interface Yoga<Context> {
  (request: IncomingMessage, response: ServerResponse, context: Context): Promise<void>;
  dispose(): Promise<void>;
}

export declare function createYoga<Context>(options: YogaOptions<Context>): Yoga<Context>;
