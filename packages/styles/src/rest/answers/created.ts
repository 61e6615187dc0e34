// Operations that create a readable resource: they answer 201 Created with a Location.
import { ScalarType, type DescField, type Message } from "@bufbuild/protobuf";
import type { Contract, HttpBinding, Operation, PathSegment } from "@roundtrip/contract";
import { fieldsAlong, isInteger } from "../requests/url-field.ts";

/** The operation that reads a created resource: the creation's path with one more segment. */
export interface CreatedResource {
  readonly reader: Operation;
  readonly binding: HttpBinding;
  readonly identifier: DescField;
}

/** The path of the created resource; undefined if the answer does not identify it. `segments` are from the creation's path. */
export type LocationOf = (segments: readonly string[], response: Message) => string | undefined;

/** Only text and integers identify a resource, because they have one spelling in a path. */
function identifies(field: DescField): boolean {
  return field.oneof === undefined && (isInteger(field) || field.scalar === ScalarType.STRING);
}

function isSame(a: PathSegment, b: PathSegment | undefined): boolean {
  return a.kind === "literal" ? b?.kind === "literal" && a.text === b.text : a.kind === b?.kind;
}

function isWhole({ path, responseBody }: HttpBinding): boolean {
  return path.verb === "" && responseBody === "";
}

/** The answer's field for the last segment of the read's path; undefined unless that path is one segment longer. */
function identifierOf({ output, input }: Operation, { path: longer }: HttpBinding, path: readonly PathSegment[]) {
  const { segments, variables } = longer;
  if (segments.length !== path.length + 1 || segments.at(-1)?.kind !== "one") return undefined;
  if (!path.every((segment, index) => isSame(segment, segments[index]))) return undefined;
  const names = variables.find(({ end }) => end === segments.length)?.fieldPath;
  const [asked, ...deeper] = names === undefined ? [] : (fieldsAlong(input, names) ?? []);
  const held = output.fields.find(({ name }) => name === asked?.name);
  return deeper.length === 0 && held?.fieldKind === "scalar" && held.scalar === asked?.scalar && identifies(held)
    ? held
    : undefined;
}

/** The resource that a binding creates: a POST to a collection whose answer equals that of a GET below it. Otherwise undefined. */
export function createdResource(
  { operations }: Contract,
  operation: Operation,
  binding: HttpBinding,
): CreatedResource | undefined {
  if (binding.method !== "POST" || !isWhole(binding) || operation.sideEffects === "none") return undefined;
  if (binding.path.segments.some(({ kind }) => kind === "many")) return undefined;
  for (const reader of operations) {
    if (reader.output !== operation.output || reader.kind !== "unary") continue;
    for (const read of reader.bindings) {
      if (read.method !== "GET" || !isWhole(read)) continue;
      const identifier = identifierOf(reader, read, binding.path.segments);
      if (identifier !== undefined) return { reader, binding: read, identifier };
    }
  }
  return undefined;
}

/** Compiles the Location of created resources; undefined if the binding creates none. */
export function locationWriter(contract: Contract, operation: Operation, binding: HttpBinding): LocationOf | undefined {
  const created = createdResource(contract, operation, binding);
  if (created === undefined) return undefined;
  const { localName } = created.identifier;
  // A resource name (`shelves/1/books/2`) includes segments of the creation's path.
  const isName = created.binding.path.variables.some(
    ({ start, end }) => end - start > 1 && end > binding.path.segments.length,
  );
  return (segments, response) => {
    const value = (response as unknown as Record<string, string | number | bigint | undefined>)[localName];
    const text = String(value ?? "").toWellFormed();
    const last = isName ? text.slice(text.lastIndexOf("/") + 1) : text;
    const above = binding.path.segments.map((segment, index) =>
      segment.kind === "literal" ? encodeURI(segment.text) : segments[index],
    );
    return last === "" ? undefined : `/${above.join("/")}/${encodeURIComponent(last)}`;
  };
}
