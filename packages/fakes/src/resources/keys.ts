// Keys of resources: read from requests, and written to them.
import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import {
  fieldOfPart,
  type KeyPart,
  referenceOption,
  type Resource,
  resourceOption,
} from "@roundtrip/contract/resources";
import { type Key } from "./resource.ts";
import { shortProperty } from "./request-properties.ts";
import { reflect } from "@bufbuild/protobuf/reflect";
import { integerRange } from "../answers/values/number-value.ts";

/** A field that can be a part of a key, as in messages; undefined if it is optional and unset. */
export type KeyValue = string | number | bigint | undefined;

/** A resource with its key. */
export interface Keyed {
  readonly key: Key;
  readonly message: Message;
}

type Properties = Readonly<Record<string, KeyValue>>;
/** A value as text: an int64 may be a bigint or a string. Empty if there is no value. */
type ReadText = (request: Message) => string;

function textOf(value: KeyValue): string {
  return value === undefined ? "" : String(value);
}

/** A part of the key in the resource itself; undefined if the resource does not have it. */
export function ownPart({ field }: KeyPart, message: Message | undefined): KeyValue {
  return field === undefined ? undefined : (message as unknown as Properties | undefined)?.[field.localName];
}

/** The field of a request that contains a whole resource. */
export function resourceField({ fields }: DescMessage, { message }: Resource): DescField | undefined {
  return fields.find((field) => field.fieldKind === "message" && field.message === message);
}

/** A resource in an answer, with its own key; undefined for an answer that does not have both. */
export function resourceIn(resource: Resource, { output }: Operation, answer: Message): Keyed | undefined {
  const field = output === resource.message ? undefined : resourceField(output, resource);
  if (output !== resource.message && field === undefined) return undefined;
  const inside = field && (answer as unknown as Readonly<Record<string, Message | undefined>>)[field.localName];
  const message = field === undefined ? answer : inside;
  const key = resource.key.map((part) => textOf(ownPart(part, message)));
  return message === undefined || key.some((text) => text === "" || text === "0") ? undefined : { key, message };
}

/** A request may have a key twice, beside a resource and in it. If the one beside it is empty, the one in it counts. */
function readerOfPart(input: DescMessage, resource: Resource, part: KeyPart): ReadText | undefined {
  const own = fieldOfPart(input, part);
  const beside: ReadText | undefined =
    own === undefined ? undefined : (request) => textOf((request as unknown as Properties)[own.localName]);
  const around = resourceField(input, resource);
  if (around === undefined || part.field === undefined) return beside;
  const inside: ReadText = (request) =>
    textOf(ownPart(part, (request as unknown as Readonly<Record<string, Message | undefined>>)[around.localName]));
  if (beside === undefined) return inside;
  return (request) => {
    const text = beside(request);
    return text === "" || text === "0" ? inside(request) : text;
  };
}

/** Undefined if the request lacks a part of the key. */
export function keyReader(
  input: DescMessage,
  resource: Resource,
  parts: readonly KeyPart[] = resource.key,
): ((request: Message) => Key) | undefined {
  const readers = parts.map((part) => readerOfPart(input, resource, part));
  const all = readers
    .filter((reader) => reader !== undefined)
    .map(
      (read, at): ReadText =>
        (request) =>
          shortProperty(parts[at]?.name ?? "", read(request)),
    );
  if (all.length !== parts.length) return undefined;
  const [only] = all;
  if (all.length === 1 && only !== undefined) return (request) => [only(request)];
  return (request) => all.map((read) => read(request));
}

function isText({ fieldKind, scalar }: DescField): boolean {
  return fieldKind === "scalar" && scalar === ScalarType.STRING;
}

/** Whether the contract says that a field refers to what resources are below: by its type, or by theirs. */
function refersAbove(contract: Contract, { message, pattern }: Resource, field: DescField): boolean {
  const { type = "", childType = "" } = referenceOption(contract, field) ?? {};
  if (childType !== "") return childType === resourceOption(contract, message)?.type;
  const above = pattern?.slice(0, -2).join("/") ?? "";
  if (type === "" || above === "") return false;
  return [...contract.registry].some((desc) => {
    const option = desc.kind === "message" ? resourceOption(contract, desc) : undefined;
    return option?.type === type && option.patterns.some((segments) => segments.join("/") === above);
  });
}

/**
 * The field of a request with the parent of a list or a new resource: `parent`, the field in one of the paths that stands for it, or the one that the
 * contract says refers to it.
 */
export function parentField(
  contract: Contract,
  { input, bindings }: Operation,
  resource: Resource,
): DescField | undefined {
  const { pattern } = resource;
  if (pattern === undefined) return undefined;
  const above = pattern.slice(0, -2);
  const inPaths = bindings.flatMap(({ path: { segments, variables } }, at) =>
    variables
      .filter(({ start, end }) => {
        const names = segments.slice(start, end);
        if (names.length !== above.length) return false;
        // The main path may spell it otherwise.
        return at === 0 || names.every((name, level) => name.kind !== "literal" || name.text === above[level]);
      })
      .map(({ fieldPath }) => fieldPath.join(".")),
  );
  const named = ["parent", ...inPaths]
    .map((name) => input.fields.find((field) => field.name === name))
    .find((field) => field !== undefined && isText(field));
  return named ?? input.fields.find((field) => isText(field) && refersAbove(contract, resource, field));
}

const unsigned32 = 2n ** 32n - 1n;

/** A part of a key as reflection represents it. */
export function valueOfPart(scalar: ScalarType, text: string): string | number | bigint {
  const range = integerRange(scalar);
  if (range === undefined) return text;
  return range.high > unsigned32 ? BigInt(text) : Number(text);
}

export function writePart(desc: DescMessage, field: DescField, message: Message, text: string): void {
  reflect(desc, message, false).set(field, valueOfPart(field.scalar ?? ScalarType.STRING, text));
}

/** The message in a field of another one, created if unset. */
export function innerOf(message: Message, field: DescField & { fieldKind: "message" }): Message {
  const values = reflect(field.parent, message, false);
  if (!values.isSet(field)) values.set(field, reflect(field.message, undefined, false));
  return values.get(field).message;
}

/** Writes all parts of a key that the resource itself has. */
export function writeKey({ key: parts }: Resource, message: Message, key: Key): void {
  for (const [at, { field }] of parts.entries()) {
    const text = key[at];
    if (text !== undefined && field !== undefined) writePart(field.parent, field, message, text);
  }
}
