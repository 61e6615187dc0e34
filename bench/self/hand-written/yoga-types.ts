// The part of GraphQL Yoga that the hand-written server uses, for the compiler; `#graphql-yoga` in package.json is the library itself. Its own types refer
// to the library of the browser, whose globals would then exist in every file of this project.
import type { DocumentNode, ExecutionResult, GraphQLSchema, ParseOptions, Source } from "graphql";
import type { RequestListener } from "node:http";

type Parse = (source: string | Source, options?: ParseOptions) => DocumentNode;

interface YogaPlugin {
  readonly onParse: (event: { readonly setParseFn: (parse: Parse) => void }) => void;
  readonly onResultProcess: (event: {
    readonly result: ExecutionResult;
    readonly setResult: (result: object) => void;
  }) => void;
}

interface YogaOptions {
  readonly schema: GraphQLSchema;
  readonly batching: boolean;
  readonly cors: boolean;
  readonly graphiql: boolean;
  readonly landingPage: boolean;
  readonly logging: boolean;
  readonly maskedErrors: boolean;
  readonly maxRequestBodySize: number;
  readonly multipart: boolean;
  readonly plugins: readonly YogaPlugin[];
}

interface Yoga extends RequestListener {
  dispose(): Promise<void>;
}

export declare function createYoga(options: YogaOptions): Yoga;
