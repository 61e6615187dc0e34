// The body of an answer, and the address of what a call has created.
import { create, type DescField, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import type { Contract, HttpBinding, Operation, PathSegment } from "@roundtrip/contract";
import { fieldsAlong } from "./requests/url-field.ts";
import { jsonReader, jsonSubject, kindOf } from "../shared/proto-json/scalars.ts";
import { type MessageJsonForm, messageToJson, shortForm } from "../shared/proto-json/message-to-json.ts";
import { messageFromJson } from "../shared/proto-json/message-from-json.ts";

// Converts response messages to JSON bodies and back: the whole message, the field that `response_body` names, or no body.

/** Whether an operation answers 204 No Content: its answer is `google.protobuf.Empty`. */
export function answersNothing({ output, kind }: Operation): boolean {
  return output.typeName === EmptySchema.typeName && kind !== "server_streaming";
}

/** Writes a response's JSON; undefined for a response without body. */
export type WriteResponse = (response: Message) => string | undefined;

/** Reads a response body. Throws an Error if it does not match the contract. */
export type ReadResponse = (body: Uint8Array) => Message;

function bodyName(
  { output }: Operation,
  { responseBody }: HttpBinding,
  { hasContractNames }: MessageJsonForm,
): string | undefined {
  const field = output.fields.find((one) => one.name === responseBody);
  return hasContractNames ? field?.name : field?.jsonName;
}

export function messageWriter(
  { registry }: Contract,
  operation: Operation,
  binding: HttpBinding,
  form: MessageJsonForm = shortForm,
): (message: Message) => string {
  const { output } = operation;
  const write = messageToJson(output, { registry }, form);
  const name = bodyName(operation, binding, form);
  if (name === undefined) return (response) => JSON.stringify(write(response));
  const writeAll = messageToJson(output, { registry }, { ...form, hasUnsetFields: true });
  const defaults = writeAll(create(output)) as JsonObject;
  const absent = Object.hasOwn(defaults, name) ? (defaults[name] as JsonValue) : null;
  return (response) => {
    const json = write(response) as JsonObject;
    return JSON.stringify(Object.hasOwn(json, name) ? (json[name] as JsonValue) : absent);
  };
}

export function responseWriter(
  contract: Contract,
  operation: Operation,
  binding: HttpBinding,
  form: MessageJsonForm = shortForm,
): WriteResponse {
  return answersNothing(operation) ? () => undefined : messageWriter(contract, operation, binding, form);
}

const utf8 = new TextDecoder();

/** Compiles a reader of one message. Ignores unknown fields, because the server may be newer than the caller. */
export function messageReader(
  { registry }: Contract,
  operation: Operation,
  binding: HttpBinding,
): (json: JsonValue) => Message {
  const { output } = operation;
  const readMessage = messageFromJson(output, { registry, ignoreUnknownFields: true });
  const name = bodyName(operation, binding, shortForm);
  return (json) => readMessage(name === undefined ? json : { [name]: json });
}

export function responseReader(contract: Contract, operation: Operation, binding: HttpBinding): ReadResponse {
  const { output } = operation;
  if (answersNothing(operation)) return () => create(output);
  const parse = jsonReader(jsonSubject(output, binding.responseBody));
  const read = messageReader(contract, operation, binding);
  return (body) => read(parse(utf8.decode(body)));
}

// Operations that create a readable resource: they answer 201 Created with a Location.

/** The operation that reads a created resource: the creation's path with one more segment. */
export interface CreatedResource {
  readonly reader: Operation;
  readonly binding: HttpBinding;
  readonly identifier: DescField;
}

/** The path of the created resource; undefined if the answer does not identify it, or by too long a text. `segments` are from the creation's path. */
export type LocationOf = (segments: readonly string[], response: Message) => string | undefined;

/** Only text and integers identify a resource, because they have one spelling in a path. */
function identifies({ oneof, scalar }: DescField): boolean {
  return oneof === undefined && scalar !== undefined && /string|int/.test(kindOf(scalar));
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
  const [requestField, ...deeper] = names === undefined ? [] : (fieldsAlong(input, names) ?? []);
  const answerField = output.fields.find(({ name }) => name === requestField?.name);
  return deeper.length === 0 &&
    answerField?.fieldKind === "scalar" &&
    answerField.scalar === requestField?.scalar &&
    identifies(answerField)
    ? answerField
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

/** Recipients of longer ones may refuse the answer (RFC 9110, section 4.1). */
const maxLocationBytes = 8_000;

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
    const location = `/${above.join("/")}/${encodeURIComponent(last)}`;
    return last === "" || location.length > maxLocationBytes ? undefined : location;
  };
}
