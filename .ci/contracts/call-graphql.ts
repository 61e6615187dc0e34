// GraphQL by plain `fetch`: sends the commands of the page, and checks documents and answers against the schema with graphql-js.
import { create, toJson, type JsonValue } from "@bufbuild/protobuf";
import {
  buildSchema,
  defaultFieldResolver,
  execute,
  isObjectType,
  parse,
  validate,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from "graphql";
import type { Contract, Operation } from "../../packages/contract/src/index.ts";
import { graphqlModel, type Model, type RootField } from "../../packages/styles/src/graphql/schema/model.ts";
import { codecsOf } from "../../packages/styles/src/graphql/values/codec.ts";
import { questionOf } from "../../packages/styles/src/graphql/documents/call.ts";
import { longestCallMs, normal, refused, sessionHeader, type CallExample, type Called } from "./called.ts";
import { commandsOn } from "./page-commands.ts";

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string };
  }[];
}

/** Reads the value of a key, because documents may have aliases. */
const byKey: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) =>
  typeof source === "object" && source !== null && info.path.key in source
    ? (source as Readonly<Record<string, unknown>>)[info.path.key]
    : defaultFieldResolver(source, args, context, info);

/** What graphql-js says about an answer if it executes the document over it. */
function faultsIn(schema: GraphQLSchema, document: string, variables: object, data: Result["data"]): readonly string[] {
  const parsed = parse(document);
  const invalid = validate(schema, parsed);
  if (invalid.length > 0) return invalid.map(({ message }) => `the document: ${message}`);
  const { errors = [], data: again } = execute({
    schema,
    document: parsed,
    rootValue: data,
    variableValues: variables as Readonly<Record<string, unknown>>,
    fieldResolver: byKey,
    typeResolver: (value, _context, _info, union) => {
      const keys = Object.keys(value as object);
      const types = schema.getPossibleTypes(union);
      return types.find((type) => isObjectType(type) && keys.some((key) => key in type.getFields()))?.name;
    },
  }) as Result;
  if (errors.length > 0) return errors.map(({ message }) => `the answer: ${message}`);
  return JSON.stringify(again) === JSON.stringify(data)
    ? []
    : ["the answer: its values are not those of the schema's types"];
}

function readerOf(model: Model, root: RootField, contract: Contract): (data: NonNullable<Result["data"]>) => JsonValue {
  const { operation } = root;
  const codecOf = codecsOf(model);
  const codecs = { input: codecOf(operation.input), output: codecOf(operation.output) };
  const question = questionOf(root, model, codecs, undefined);
  return (data) =>
    root.isEmpty
      ? toJson(operation.output, create(operation.output))
      : normal(contract, operation, question.answer(data));
}

/** The results in an event stream. */
function resultsIn(text: string): readonly Result[] {
  return [...text.matchAll(/^event: next\ndata: (.*)$/gm)].map(([, data = "{}"]) => JSON.parse(data) as Result);
}

export interface GraphqlServer {
  readonly url: string;
  /** The schema, as `describe` writes it. */
  readonly sdl: string;
}

/** Rejects if the page or the schema cannot be read. */
export async function graphqlCaller(contract: Contract, { url, sdl }: GraphqlServer): Promise<CallExample> {
  const model = graphqlModel(contract);
  const schema = buildSchema(sdl, { noLocation: true });
  const commands = commandsOn(await (await fetch(url, { headers: { accept: "text/html" } })).text());

  return async ({ id, kind }: Operation, session): Promise<Called | undefined> => {
    const root = model.rootOf.get(id);
    if (root === undefined) return undefined;
    const command = commands.get(id);
    if (command?.body === undefined) return refused("the page has no example");
    const { query, variables } = JSON.parse(command.body) as { readonly query: string; readonly variables: object };
    const isStream = kind === "server_streaming";
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...command.headers,
        accept: isStream ? "text/event-stream" : "application/graphql-response+json",
        [sessionHeader]: session,
      },
      body: command.body,
      signal: AbortSignal.timeout(longestCallMs),
    });
    const text = await response.text();
    const results = isStream && response.ok ? resultsIn(text) : [JSON.parse(text) as Result];
    const error = results.flatMap(({ errors = [] }) => errors)[0];
    if (error !== undefined) return refused(`${error.extensions?.code ?? "error"}: ${error.message}`);
    const read = readerOf(model, root, contract);
    return {
      refusal: undefined,
      answers: results.map(({ data }) => read(data ?? {})),
      faults: results.flatMap(({ data }) => faultsIn(schema, query, variables, data)),
    };
  };
}
