// The selection set as read mask (AIP-157): the service need not read fields that are not selected.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionNode,
} from "graphql";
import type { EdgesOf } from "../edges/edges.ts";
import type { Shape } from "./shape.ts";

/** The selected fields of a message: `all`, or some fields by name. */
type Selected = Map<string, Selected>;

/** Mask paths in the contract's spelling and field order; empty if all fields are selected. */
export type ReadMaskOf = (info: GraphQLResolveInfo) => readonly string[];

// A mask ends at lists and maps; only a single message has subfields in it.
function innerMessage({ arrangement, value }: Shape): DescMessage | undefined {
  return arrangement === "one" && value.kind === "message" ? value.message : undefined;
}

interface Collector {
  readonly info: Pick<GraphQLResolveInfo, "fragments" | "variableValues">;
  /** Whether the selection depends on variables, so that it must not be cached. */
  isConditional: boolean;
}

function isTaken(node: SelectionNode, collector: Collector): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true;
  collector.isConditional = true;
  const { variableValues } = collector.info;
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.["if"] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.["if"] !== false;
}

function collect(selections: readonly SelectionNode[], into: Selected, collector: Collector): void {
  for (const node of selections) {
    if (!isTaken(node, collector)) continue;
    if (node.kind === Kind.FIELD) {
      const inner = into.get(node.name.value) ?? new Map<string, Selected>();
      into.set(node.name.value, inner);
      if (node.selectionSet !== undefined) collect(node.selectionSet.selections, inner, collector);
    } else {
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : collector.info.fragments[node.name.value];
      if (fragment !== undefined) collect(fragment.selectionSet.selections, into, collector);
    }
  }
}

/** The selected fields of a message, with oneof members at the same level, as masks name them, and with the keys of selected edges. */
function flatSelection(
  { model, of }: EdgesOf,
  message: DescMessage,
  selected: Selected,
): ReadonlyMap<DescField, Selected> {
  const flat = new Map<DescField, Selected>();
  const add = ({ field }: Shape, inside: Selected | undefined): void => {
    if (inside !== undefined) flat.set(field, inside);
  };
  for (const part of model.parts(message)) {
    const inside = selected.get(part.name);
    if (!("members" in part)) {
      add(part, inside);
      continue;
    }
    // A selected `__typename` needs every member, to find which one is set.
    const others = inside?.has("__typename") === true ? new Map<string, Selected>() : undefined;
    for (const member of part.members) add(member, inside?.get(member.name) ?? others);
  }
  for (const { name, source } of of(message)) {
    if (selected.has(name) && !flat.has(source)) flat.set(source, new Map());
  }
  return flat;
}

/** The mask paths; undefined if every field is selected. */
function pathsOf(edges: EdgesOf, message: DescMessage, selected: Selected): readonly string[] | undefined {
  let isAll = true;
  const paths: string[] = [];
  const flat = flatSelection(edges, message, selected);
  for (const shape of edges.model.shapes(message)) {
    const { name } = shape.field;
    const inside = flat.get(shape.field);
    if (inside === undefined) {
      isAll = false;
      continue;
    }
    const deeper = innerMessage(shape);
    const inner = deeper === undefined ? undefined : pathsOf(edges, deeper, inside);
    if (inner === undefined || inner.length === 0) paths.push(name);
    else {
      isAll = false;
      paths.push(...inner.map((path) => `${name}.${path}`));
    }
  }
  return isAll ? undefined : paths;
}

/** Reads masks for an operation's response. Parsed documents are cached, and their masks too. */
export function readMaskReader(edges: EdgesOf, output: DescMessage): ReadMaskOf {
  const known = new WeakMap<FieldNode, readonly string[]>();
  return (info) => {
    const [first] = info.fieldNodes;
    const isSingle = info.fieldNodes.length === 1 && first !== undefined;
    const cached = isSingle ? known.get(first) : undefined;
    if (cached !== undefined) return cached;
    const collector: Collector = { info, isConditional: false };
    const selected: Selected = new Map();
    for (const { selectionSet } of info.fieldNodes) collect(selectionSet?.selections ?? [], selected, collector);
    const paths = pathsOf(edges, output, selected) ?? [];
    if (isSingle && !collector.isConditional) known.set(first, paths);
    return paths;
  };
}
