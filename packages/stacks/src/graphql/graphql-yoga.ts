// The part of GraphQL Yoga that this server uses, for the compiler; `#graphql-yoga` in package.json is the library itself. Its own types refer to the
// library of the browser, whose globals would then exist in every file of this project.
import type {
  DocumentNode,
  ExecutionArgs,
  ExecutionResult,
  GraphQLSchema,
  ParseOptions,
  Source,
  ValidationRule,
} from "graphql";

interface FetchApi {
  readonly Response: new (body: string, init: ResponseInit) => Response;
}

type ResultProcessor = (result: ExecutionResult, fetchApi: FetchApi, type: string) => Response | Promise<Response>;

type Parse = (source: string | Source, options?: ParseOptions) => DocumentNode;

export interface YogaPlugin<Context extends object> {
  readonly onRequestParse: (event: {
    readonly serverContext: Context;
    readonly setRequestParser: (parser: () => object) => void;
  }) => void;
  readonly onParse: (event: { readonly setParseFn: (parse: Parse) => void }) => void;
  readonly onValidate: (event: { readonly addValidationRule: (rule: ValidationRule) => void }) => void;
  readonly onExecute: (event: { readonly setExecuteFn: (execute: (args: ExecutionArgs) => unknown) => void }) => void;
  readonly onSubscribe: (event: {
    readonly setSubscribeFn: (execute: (args: ExecutionArgs) => unknown) => void;
  }) => void;
  readonly onResultProcess: (event: {
    readonly result: ExecutionResult;
    readonly serverContext: Context;
    readonly setResult: (result: object) => void;
    readonly setResultProcessor: (processor: ResultProcessor, type: string) => void;
  }) => void;
}

interface TextCache<Value> {
  readonly get: (query: string) => Value | undefined;
  readonly set: (query: string, value: Value) => void;
}

interface YogaOptions<Context extends object> {
  readonly schema: GraphQLSchema;
  readonly graphqlEndpoint: string;
  readonly batching: boolean;
  readonly cors: boolean;
  readonly graphiql: boolean;
  readonly landingPage: boolean;
  readonly logging: boolean;
  readonly maskedErrors: boolean;
  readonly maxRequestBodySize: number | false;
  readonly multipart: boolean;
  readonly parserAndValidationCache: {
    readonly documentCache: TextCache<DocumentNode>;
    readonly errorCache: TextCache<unknown>;
  };
  readonly plugins: readonly YogaPlugin<Context>[];
}

interface Yoga<Context extends object> {
  /** Never rejects. */
  fetch(url: string, init: RequestInit, context: Context): Promise<Response>;
  dispose(): Promise<void>;
}

export declare function createYoga<Context extends object>(options: YogaOptions<Context>): Yoga<Context>;

export declare const processRegularResult: ResultProcessor;
