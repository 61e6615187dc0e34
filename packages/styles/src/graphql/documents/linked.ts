// A document that reads a resource and follows edges: each operation takes its key from the answer of the one before, over the only edge between them.
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { CallError, type InvokeLinked, type Operation } from "@roundtrip/contract";
import { type Edge, edgesOf } from "../edges/edges.ts";
import { type Argument, type Model, typeText } from "../schema/model.ts";
import type { Shape } from "../schema/shape.ts";
import { codecsOf, type JsonFields } from "../values/codec.ts";
import { type DocumentCall, pathsAsked } from "./call.ts";
import { maskTree } from "./levels.ts";
import { selectionOf } from "./selection.ts";

/** An edge, and the fields from an answer to the messages that have it. */
interface Hop {
  readonly edge: Edge;
  readonly on: DescMessage;
  readonly path: readonly Shape[];
}

function leadsTo({ id }: Operation, edge: Edge): boolean {
  return (edge.kind === "list" ? edge.edge.list : edge.edge.get).operation.id === id;
}

/** Every edge from an answer to an operation. A message type in several fields counts in the first. */
function hopsTo(model: Model, answer: DescMessage, operation: Operation): readonly Hop[] {
  const edges = edgesOf(model);
  const seen = new Set([answer]);
  const hops: Hop[] = [];
  const follow = (on: DescMessage, path: readonly Shape[]): void => {
    for (const edge of edges.of(on)) if (leadsTo(operation, edge)) hops.push({ edge, on, path });
    for (const shape of model.shapes(on)) {
      const { value, arrangement, field } = shape;
      if (value.kind !== "message" || arrangement === "map" || field.oneof !== undefined) continue;
      if (seen.has(value.message)) continue;
      seen.add(value.message);
      follow(value.message, [...path, shape]);
    }
  };
  follow(answer, []);
  return hops;
}

function hopTo(model: Model, { id, output }: Operation, next: Operation): Hop {
  const [hop, ...others] = hopsTo(model, output, next);
  if (hop !== undefined && others.length === 0) return hop;
  throw new CallError(
    "UNIMPLEMENTED",
    `${others.length === 0 ? "no" : "more than one"} edge leads from ${id} to ${next.id}`,
  );
}

function fieldsAt(json: JsonFields, path: readonly Shape[]): readonly JsonFields[] {
  return path.reduce<readonly JsonFields[]>(
    (fields, { name }) => fields.flatMap((parent) => (parent[name] ?? []) as JsonFields | readonly JsonFields[]),
    [json],
  );
}

const argumentsOf = ({ edge }: Hop): readonly Argument[] => (edge.kind === "list" ? edge.arguments : []);

/** Throws INVALID_ARGUMENT for a read mask without the messages that have the edge: nothing would be followed. */
function checkMask({ path }: Hop, { readMask }: Operation, paths: readonly string[], next: Operation): void {
  let tree = maskTree(paths);
  for (const { field } of path) {
    if (tree === "all") return;
    const inside = tree.get(field.name);
    if (inside === undefined) {
      const missing = path.map((shape) => shape.field.name).join(".");
      throw new CallError("INVALID_ARGUMENT", `${readMask?.name}: without ${missing}, no edge leads to ${next.id}`);
    }
    tree = inside;
  }
}

/** The variable of an argument of the edge to an operation. */
function variable(at: number, name: string): string {
  return `c${at + 1}_${name}`;
}

/** A document, and how its variables and its answer are read. */
export interface LinkedDocument {
  /** A key of the requests' read masks: equal keys have equal texts. */
  maskKey(requests: readonly Message[]): string;
  text(requests: readonly Message[]): string;
  variables(requests: readonly Message[]): Record<string, unknown>;
  /** Throws INTERNAL for an answer that does not match the contract. */
  answers(data: JsonFields): Awaited<ReturnType<InvokeLinked>>;
}

/** @param first the call of the first operation. Throws UNIMPLEMENTED where no single edge leads to an operation. */
export function linkedDocument(model: Model, first: DocumentCall, operations: readonly Operation[]): LinkedDocument {
  const codecOf = codecsOf(model);
  const hops = operations.slice(1).map((next, at) => hopTo(model, operations[at] as Operation, next));
  const definitions = [
    first.variableDefinitions,
    ...hops.flatMap((hop, at) => argumentsOf(hop).map(({ name, type }) => `$${variable(at, name)}: ${typeText(type)}`)),
  ].filter((text) => text !== "");

  /** What an operation's answer selects, with the edge from it to the next. */
  function selection(
    at: number,
    requests: readonly Message[],
  ): Pick<ReturnType<typeof selectionOf>, "text" | "fragments"> {
    const operation = operations[at] as Operation;
    const hop = hops[at];
    const paths = pathsAsked(operation, requests[at] as Message);
    if (hop !== undefined) checkMask(hop, operation, paths, operations[at + 1] as Operation);
    const next = hop && selection(at + 1, requests);
    const values =
      hop &&
      argumentsOf(hop)
        .map(({ name }) => `${name}: $${variable(at, name)}`)
        .join(", ");
    const wanted = {
      message: operation.output,
      paths,
      maskName: operation.readMask?.name ?? "",
      prefix: `c${at}_`,
      calls: operations.length,
    };
    const { text, fragments } = selectionOf(
      model,
      hop === undefined || next === undefined
        ? wanted
        : {
            ...wanted,
            also: { on: hop.on, text: `${hop.edge.name}${values === "" ? "" : `(${values})`} ${next.text}` },
          },
    );
    return { text, fragments: `${fragments}${next?.fragments ?? ""}` };
  }

  return {
    maskKey: (requests) =>
      operations.map((operation, at) => pathsAsked(operation, requests[at] as Message).join("\0")).join("\0\0"),
    text(requests) {
      const { text, fragments } = selection(0, requests);
      const variables = definitions.length === 0 ? "" : `(${definitions.join(", ")})`;
      return `query linked${variables} { ${first.head} ${text} }${fragments}`;
    },
    variables(requests) {
      const all = first.variables(requests[0] as Message);
      for (const [at, hop] of hops.entries()) {
        const request = codecOf((operations[at + 1] as Operation).input).encode(requests[at + 1] as Message);
        for (const { name } of argumentsOf(hop))
          if (Object.hasOwn(request, name)) all[variable(at, name)] = request[name];
      }
      return all;
    },
    answers(data) {
      const answers = [[first.answer(data)]];
      let fields: readonly JsonFields[] = [data[first.answerName] as JsonFields];
      for (const [at, { edge, path }] of hops.entries()) {
        const { decode } = codecOf((operations[at + 1] as Operation).output);
        fields = fields
          .flatMap((json) => fieldsAt(json, path))
          .flatMap((json) => (json[edge.name] ?? []) as JsonFields | readonly JsonFields[]);
        answers.push(fields.map(decode));
      }
      return answers;
    },
  };
}
