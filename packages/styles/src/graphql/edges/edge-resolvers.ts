// Resolvers of edges: from a key in a message to the resource, and from a resource to a list below it.
import type { DescField, Message } from "@bufbuild/protobuf";
import { CallError, fieldPaths } from "@roundtrip/contract";
import { keyTest } from "@roundtrip/contract/resources";
import type { GraphQLFieldResolver, GraphQLResolveInfo } from "graphql";
import { codecsOf, type JsonFields } from "../values/codec.ts";
import type { Edge, EdgesOf, ListField, ReferenceField } from "./edges.ts";
import { fieldName } from "../schema/field-name.ts";
import { type GraphqlContext, requestReader } from "../schema/resolvers.ts";
import { readMaskReader } from "../schema/read-mask.ts";

type Key = string | number | bigint;
type Keys = Key | readonly Key[];
type Properties = Readonly<Record<string, Keys | { readonly case?: string; readonly value?: Keys }>>;

/** Reads the key in a field, or those of a list; undefined if it is not set. */
function keyReader({ localName, oneof }: DescField): (message: Message) => Keys | undefined {
  if (oneof === undefined) {
    return (message) =>
      // Outside proto3, defaults are on the prototype.
      Object.hasOwn(message, localName) ? ((message as unknown as Properties)[localName] as Keys) : undefined;
  }
  return (message) => {
    const choice = (message as unknown as Properties)[oneof.localName] as {
      readonly case?: string;
      readonly value?: Keys;
    };
    return choice.case === localName ? choice.value : undefined;
  };
}

type Resolve = GraphQLFieldResolver<Message, GraphqlContext, JsonFields>;

function referenceResolver({ edge, source }: ReferenceField, edges: EdgesOf): Resolve {
  const { get } = edge;
  const read = keyReader(source);
  const isKey = keyTest(get);
  const pathsOf = get.operation.readMask === undefined ? () => [] : readMaskReader(edges, get.operation.output);
  const load = (key: Key, { loads }: GraphqlContext, info: GraphQLResolveInfo): Promise<Message | null> | null => {
    const text = String(key);
    return isKey(text) ? loads.load(edge, text, pathsOf, info) : null;
  };
  return (message, _args, context, info) => {
    const keys = read(message);
    if (keys === undefined) return source.fieldKind === "list" ? [] : null;
    if (!Array.isArray(keys)) return load(keys as Key, context, info);
    return (keys as readonly Key[]).map(async (key) => await load(key, context, info));
  };
}

function listResolver({ edge: { list }, source }: ListField, edges: EdgesOf): Resolve {
  const { operation, key } = list;
  const { model } = edges;
  const root = model.rootOf.get(operation.id);
  const items = operation.output.fields.find(({ fieldKind, message }) => fieldKind === "list" && message !== undefined);
  if (root === undefined || items === undefined) throw new Error(`${operation.id} is no List`);
  const readRequest = requestReader(root, edges, codecsOf(model)(operation.input).decode);
  const read = keyReader(source);
  const isKey = keyTest(list);
  const { spelled } = fieldPaths(operation.input, fieldName, fieldName);
  return async (message, args, { loads }, info) => {
    const value = read(message);
    if (value === undefined || !isKey(String(value))) return null;
    const request = readRequest(args, info);
    (request as unknown as Record<string, unknown>)[key.localName] = value;
    try {
      return await loads.list(operation, request, items);
    } catch (thrown) {
      throw spelled(CallError.from(thrown));
    }
  };
}

export function edgeResolver(edge: Edge, edges: EdgesOf): Resolve {
  return edge.kind === "list" ? listResolver(edge, edges) : referenceResolver(edge, edges);
}
