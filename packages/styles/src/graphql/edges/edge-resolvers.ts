// Resolvers of edges: from a key in a message to the resource, and from a resource to a list below it.
import { type DescField, type Message, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { CallError, fieldPaths, largeIntegers } from "@roundtrip/contract";
import { keyTest, type ReferenceEdge } from "@roundtrip/contract/resources";
import type { GraphQLFieldResolver, GraphQLResolveInfo } from "graphql";
import { codecsOf, type JsonFields } from "../values/codec.ts";
import type { Edge, EdgesOf, ListField, ReferenceField } from "./edges.ts";
import { fieldName } from "../schema/field-name.ts";
import { type GraphqlContext, requestReader } from "../schema/resolvers.ts";
import { readMaskReader } from "../schema/read-mask.ts";

type KeyValue = string | number | bigint;
type Keys = KeyValue | readonly KeyValue[];
type Properties = Readonly<Record<string, Keys | { readonly case?: string; readonly value?: Keys }>>;

/** Reads the key in a field, or those of a list; undefined if it is not set. */
function keyReader({ localName, oneof, presence }: DescField): (message: Message) => Keys | undefined {
  if (oneof === undefined) {
    const value = (message: Message): Keys => (message as unknown as Properties)[localName] as Keys;
    if (presence === Presence.IMPLICIT) return value;
    // Outside proto3, defaults are on the prototype.
    return (message) => (Object.hasOwn(message, localName) ? value(message) : undefined);
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

/** Whether the resource has a small integer as its key, which then need not become text. */
function isNumbered({ get, batchGet }: ReferenceEdge): boolean {
  const keys = [get.key, batchGet?.keys, batchGet?.ownKey].filter((field) => field !== undefined);
  return keys.every(({ scalar }) => scalar !== undefined && scalar !== ScalarType.STRING && !largeIntegers.has(scalar));
}

function referenceResolver({ edge, source }: ReferenceField, edges: EdgesOf): Resolve {
  const { get } = edge;
  const read = keyReader(source);
  const hasNumber = isNumbered(edge);
  const isKey = keyTest(get);
  const pathsOf = get.operation.readMask === undefined ? () => [] : readMaskReader(edges, get.operation.output);
  const load = (key: KeyValue, { loads }: GraphqlContext, info: GraphQLResolveInfo): Promise<Message | null> | null => {
    if (hasNumber && typeof key === "number") return key === 0 ? null : loads.load(edge, key, pathsOf, info);
    const text = String(key);
    return isKey(text) ? loads.load(edge, text, pathsOf, info) : null;
  };
  return (message, _args, context, info) => {
    const keys = read(message);
    if (keys === undefined) return source.fieldKind === "list" ? [] : null;
    if (!Array.isArray(keys)) return load(keys as KeyValue, context, info);
    return (keys as readonly KeyValue[]).map(async (key) => await load(key, context, info));
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
  const fail = (thrown: unknown): never => {
    throw spelled(CallError.from(thrown));
  };
  return (message, args, { loads }, info) => {
    const value = read(message);
    if (value === undefined || !isKey(String(value))) return null;
    const request = readRequest(args, info);
    (request as unknown as Record<string, unknown>)[key.localName] = value;
    try {
      const listed = loads.list(operation, request, items);
      return listed instanceof Promise ? listed.catch(fail) : listed;
    } catch (thrown) {
      return fail(thrown);
    }
  };
}

export function edgeResolver(edge: Edge, edges: EdgesOf): Resolve {
  return edge.kind === "list" ? listResolver(edge, edges) : referenceResolver(edge, edges);
}
