// The edges of a contract as GraphQL fields: what a reference refers to, beside the reference, and the Lists of a resource in its type.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { memoize } from "@roundtrip/contract";
import { findEdges, type ListEdge, type ReferenceEdge } from "@roundtrip/contract/resources";
import { fieldName } from "../schema/field-name.ts";
import type { Argument, Model, RootField, TypeRef } from "../schema/model.ts";
import { listEdgeNames, NameRegistry, referenceEdgeNames } from "../schema/names.ts";

interface EdgeField {
  /** The name in GraphQL. */
  readonly name: string;
  readonly type: TypeRef;
  /** The field of the message that leads to it. */
  readonly source: DescField;
}

/** Reads one resource, or one for each key of a list. */
export interface ReferenceField extends EdgeField {
  readonly kind: "reference";
  readonly edge: ReferenceEdge;
}

export interface ListField extends EdgeField {
  readonly kind: "list";
  readonly edge: ListEdge;
  /** The List without its parent. */
  readonly arguments: readonly Argument[];
}

export type Edge = ReferenceField | ListField;

export interface EdgesOf {
  readonly model: Model;
  readonly of: (message: DescMessage) => readonly Edge[];
}

const none: readonly Edge[] = [];

/** No edges, for schemas that have none. */
export const withoutEdges = memoize((model: Model): EdgesOf => ({ model, of: () => none }));

function nullable({ result }: RootField): TypeRef {
  return { ...result, isNonNull: false };
}

/** Names the edges of one message. Fields of the contract keep their names. */
function namedIn(model: Model, message: DescMessage, references: readonly ReferenceEdge[], lists: readonly ListEdge[]) {
  const names = new NameRegistry(model.parts(message).map(({ name }) => name));
  const edges: Edge[] = [];
  for (const edge of references) {
    const root = model.rootOf.get(edge.get.operation.id);
    if (root === undefined || root.isEmpty) continue;
    const isList = edge.field.fieldKind === "list";
    const type = isList ? { ...nullable(root), isList, isNonNull: true, areElementsNonNull: false } : nullable(root);
    const name = names.claim(referenceEdgeNames(fieldName(edge.field), isList));
    edges.push({ kind: "reference", name, type, source: edge.field, edge });
  }
  for (const edge of lists) {
    const { operation, key } = edge.list;
    const root = model.rootOf.get(operation.id);
    if (root === undefined) continue;
    const name = names.claim(listEdgeNames(operation.method, message));
    const args = root.arguments.filter(({ part }) => part === undefined || "members" in part || part.field !== key);
    edges.push({ kind: "list", name, type: nullable(root), source: edge.ownKey, edge, arguments: args });
  }
  return edges;
}

export const edgesOf = memoize((model: Model): EdgesOf => {
  const { references, lists } = findEdges(model.contract);
  const referencesIn = Map.groupBy(references, ({ field }) => field.parent);
  const listsOf = Map.groupBy(lists, ({ ownKey }) => ownKey.parent);
  const edges = new Map(
    [...new Set([...referencesIn.keys(), ...listsOf.keys()])].map((message) => [
      message,
      namedIn(model, message, referencesIn.get(message) ?? [], listsOf.get(message) ?? []),
    ]),
  );
  return { model, of: (message) => edges.get(message) ?? none };
});
