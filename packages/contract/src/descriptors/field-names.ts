// The names of fields: distinct ones in JSON and as properties, and paths of names through messages.
import { CallError, type FieldViolation } from "../basics/call-error.ts";
import type { DescField, DescMessage, DescOneof, FileRegistry } from "@bufbuild/protobuf";
import type { DescriptorProto, FieldDescriptorProto, FileDescriptorSet } from "@bufbuild/protobuf/wkt";
import { memoize } from "./components.ts";

/** The JSON name that protoc gives a field without `json_name`. */
function usualJsonName(name: string): string {
  return name.replaceAll(/_+([^_])?/g, (_, next: string | undefined) => (next ?? "").toUpperCase());
}

const jsonNameOf = ({ name, jsonName }: FieldDescriptorProto): string => jsonName || usualJsonName(name);

function separateJsonNames({ field: fields, nestedType }: DescriptorProto): void {
  const counts = new Map<string, number>();
  for (const field of fields) counts.set(jsonNameOf(field), (counts.get(jsonNameOf(field)) ?? 0) + 1);
  for (const field of fields) if ((counts.get(jsonNameOf(field)) ?? 0) > 1) field.jsonName = field.name;
  for (const nested of nestedType) separateJsonNames(nested);
}

/**
 * Gives fields that share a JSON name distinct ones: old contracts can have both `foo_bar` and `fooBar`, which then keep the contract's spelling in
 * JSON. Changes the set that it gets.
 */
export function withDistinctJsonNames(set: FileDescriptorSet): FileDescriptorSet {
  for (const file of set.file) for (const message of file.messageType) separateJsonNames(message);
  return set;
}

/** The fields of a message by the usual JSON name. Generated contracts have messages with thousands of fields. */
const byUsualName = memoize(({ fields }: DescMessage) => Map.groupBy(fields, ({ name }) => usualJsonName(name)));

/** True for a field that keeps the contract's spelling in JSON because another field has the same default name. */
export function sharesJsonName({ name, jsonName, parent }: DescField): boolean {
  if (jsonName !== name) return false;
  return (byUsualName(parent).get(usualJsonName(name)) ?? []).some((other) => other.name !== name);
}

type Named = { localName: string };

function suffixOf(member: DescField | DescOneof): string {
  return member.kind === "field" ? `_${member.number}` : "_oneof";
}

/** The first member with a name keeps it. */
function separateProperties(members: readonly (DescField | DescOneof)[]): void {
  const taken = new Set<string>();
  for (const member of members) {
    let { localName } = member;
    if (localName in Object.prototype) localName += "$";
    if (localName === "" || taken.has(localName)) localName += suffixOf(member);
    taken.add(localName);
    if (localName !== member.localName) (member as Named).localName = localName;
  }
}

function inMessage(message: DescMessage): void {
  separateProperties(message.members);
  for (const oneof of message.oneofs) separateProperties(oneof.fields);
  for (const nested of message.nestedMessages) inMessage(nested);
}

/**
 * Gives every member of every message its own property: in camelCase, two members can get the same name, or that of a property of every object. One of
 * them would be lost on every style. Changes the registry that it gets; call it before creating messages.
 */
export function withDistinctLocalNames(registry: FileRegistry): FileRegistry {
  for (const file of registry.files) for (const message of file.messages) inMessage(message);
  return registry;
}

/** A path of a mask: `customer.vatNumber` → `customer.vat_number`. */
export function snakePath(path: string): string {
  return path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `customer.vat_number` → `customer.vatNumber`. Keeps a path that {@link snakePath} could not restore. */
export function camelPath(path: string): string {
  const camel = path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return snakePath(camel) === path ? camel : path;
}

/** Both ways between the contract's spelling of an operation's fields and a style's. */
export interface FieldPaths {
  /** The error as the style shows it. */
  readonly spelled: (error: CallError) => CallError;
  /** The error as the service gave it. */
  readonly restored: (error: CallError) => CallError;
}

type NameOf = (field: DescField) => string;

/** The name behind which a style has the members of a oneof; undefined where they stand among the other fields. */
type OneofNameOf = (oneof: DescOneof) => string | undefined;

// One name of a path with the places in lists and maps behind it: `items[2]`, `labels["a.b"]`.
const step = /(?:^|(?<=.)\.)([A-Za-z_]\w*)((?:\[(?:\d+|-\d+|true|false|"(?:[^"\\]|\\.)*")\])*)/y;

const ownName: NameOf = ({ name }) => name;

interface Spelling {
  readonly ofField: NameOf;
  readonly ofOneof: OneofNameOf;
}

/** Oneofs have a name in the contract too, for violations about all of their members; it stands before none. */
const contractSpelling: Spelling = { ofField: ownName, ofOneof: () => undefined };

/** What a step of a path goes into: a message, or a oneof where members stand behind its name. */
type FieldOwner = DescMessage | DescOneof;

function found(owner: FieldOwner | undefined, name: string | undefined, { ofField, ofOneof }: Spelling) {
  if (owner === undefined || name === undefined) return undefined;
  if (owner.kind === "oneof") return owner.fields.find((field) => ofField(field) === name);
  const isHere = ({ oneof }: DescField): boolean => oneof === undefined || ofOneof(oneof) === undefined;
  return (
    owner.fields.find((field) => isHere(field) && ofField(field) === name) ??
    owner.oneofs.find((oneof) => (ofOneof(oneof) ?? oneof.name) === name)
  );
}

/** The path with its names found by one spelling and written in the other; as it is where it is no path of the message. */
function translated(message: DescMessage, path: string, from: Spelling, to: Spelling): string {
  let at: FieldOwner | undefined = message;
  const steps: string[] = [];
  step.lastIndex = 0;
  for (let end = 0; end < path.length; end = step.lastIndex) {
    const [, name, places] = step.exec(path) ?? [];
    const next: DescField | DescOneof | undefined = found(at, name, from);
    if (next === undefined) return path;
    if (next.kind === "oneof") {
      const isLast = step.lastIndex === path.length;
      // Alone it stands for all of its members; before one of them it says nothing that the member does not.
      if (places !== "" || (!isLast && from.ofOneof(next) === undefined)) return path;
      if (isLast) steps.push(to.ofOneof(next) ?? next.name);
      at = next;
    } else {
      const before = next.oneof === undefined ? undefined : to.ofOneof(next.oneof);
      steps.push(...(before === undefined ? [] : [before]), `${to.ofField(next)}${places}`);
      at = next.message;
    }
  }
  return steps.join(".");
}

const quotedPath = /"([\w.]+)"/g;

/** What is said about a field; of a mask, with its paths in another spelling. */
function respelled(said: string, { reason }: FieldViolation, maskPath: (path: string) => string): string {
  if (reason !== "field_mask") return said;
  return said.replaceAll(quotedPath, (_, path: string) => `"${maskPath(path)}"`);
}

/** The same error about fields in another spelling, in its text too where that begins with the first field. */
function withPaths(
  error: CallError,
  translate: (path: string) => string,
  maskPath: (path: string) => string,
): CallError {
  const { code, message, details } = error;
  const [first] = details.violations;
  if (first === undefined) return error;
  const violations = details.violations.map((violation) => ({
    ...violation,
    field: translate(violation.field),
    description: respelled(violation.description, violation, maskPath),
  }));
  const begins = first.field !== "" && message.startsWith(`${first.field}: `);
  const text = begins
    ? translate(first.field) + respelled(message.slice(first.field.length), first, maskPath)
    : message;
  return new CallError(code, text, { ...details, violations }, { cause: error });
}

/** Members of a oneof among the other fields of their message, as the contract's JSON has them. */
const flat: OneofNameOf = () => undefined;

/**
 * The spellings of an operation's fields.
 * @param ofField what the style calls a field.
 * @param ofOneof what the style calls a oneof, if its members stand behind that name: `circle.radius` is `kind.circle.radius` there.
 */
export function fieldPaths(input: DescMessage, ofField: NameOf, ofOneof: OneofNameOf = flat): FieldPaths {
  const style: Spelling = { ofField, ofOneof };
  return {
    spelled: (error) => withPaths(error, (path) => translated(input, path, contractSpelling, style), camelPath),
    restored: (error) => withPaths(error, (path) => translated(input, path, style, contractSpelling), snakePath),
  };
}
