// Fields that an answer repeats from its request, matched by name and type: a request for book 7 returns book 7.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Contract, Operation } from "@roundtrip/contract";
import { declaresRules, hasBehavior } from "@roundtrip/contract/field-rules";
import { nounAfter } from "@roundtrip/contract/resources";
import { type Echo, entriesAsked, nothing } from "./entries-asked.ts";
import { hasRulesAbout, hasRulesInside, isRequiredField } from "./rules.ts";

/** Fields about the call itself, which an answer does not repeat. */
const aboutTheCall = /^(?:page_token|page_size|(?:read|update|field)_mask|filter|order_by|validate_only)$/;

export function isSameType(left: DescField, right: DescField): boolean {
  return (
    left.fieldKind === right.fieldKind &&
    left.scalar === right.scalar &&
    left.enum === right.enum &&
    left.message === right.message &&
    (left.fieldKind !== "list" || (right.fieldKind === "list" && left.listKind === right.listKind)) &&
    (left.fieldKind !== "map" || (right.fieldKind === "map" && left.mapKey === right.mapKey))
  );
}

/** Copies one field, set or not, from one message to another; both fields have the same type. */
export function copyField(reading: ReflectMessage, from: DescField, writing: ReflectMessage, to: DescField): void {
  if (!reading.isSet(from)) writing.clear(to);
  else if (to.fieldKind !== "list" && to.fieldKind !== "map") writing.set(to, reading.get(from));
  else {
    // Reflected lists and maps are bound to their field, so the plain properties are copied.
    const properties = writing.message as unknown as Record<string, unknown>;
    properties[to.localName] = (reading.message as unknown as Record<string, unknown>)[from.localName];
  }
}

/** The field of an answer that holds the request message itself, such as the location in a search result. */
function aboutField(input: DescMessage, output: DescMessage): DescField | undefined {
  const found = output.fields.filter((field) => field.fieldKind === "message" && field.message === input);
  return input === output || found.length !== 1 || input.typeName.startsWith("google.protobuf.") ? undefined : found[0];
}

/** The fields that both types have, by name and type. */
export function sharedFields(from: DescMessage, to: DescMessage): readonly (readonly [DescField, DescField])[] {
  return to.fields.flatMap((field) => {
    const same = from.fields.find(({ name }) => name === field.name);
    return same !== undefined && isSameType(same, field) ? [[same, field] as const] : [];
  });
}

/** Fields that the service sets even if a caller who writes a message does not send them. */
const ofTheService =
  /^(?:name|id|uid|uuid|key|self_link|state|status|etag|version|revision|generation|\w+_(?:id|uid|uuid|number)|(?:creat|updat|modif)\w*)$/;

function isOfTheService(field: DescField): boolean {
  return (
    ofTheService.test(field.name) ||
    hasBehavior(field, "output-only") ||
    hasBehavior(field, "identifier") ||
    isRequiredField(field)
  );
}

/** An answer that is the message which the caller has sent: it gets no other fields than those of the service. */
function copyBrought(output: DescMessage, brought: DescField, isWritten: boolean): Echo["copy"] {
  return (request, answer) => {
    const inner = (request as unknown as Record<string, Message | undefined>)[brought.localName];
    if (inner === undefined) return false;
    const reading = reflect(output, inner, false);
    const writing = reflect(output, answer, false);
    const sent = output.fields.filter((field) => reading.isSet(field));
    if (sent.length === 0) return false;
    if (isWritten) for (const field of output.fields) if (!isOfTheService(field)) writing.clear(field);
    for (const field of sent) copyField(reading, field, writing, field);
    return true;
  };
}

function copyShared({ input, output }: Operation): Echo {
  const pairs = sharedFields(input, output).filter(([{ name }]) => !aboutTheCall.test(name));
  if (pairs.length === 0) return nothing;
  const isWhole = pairs.length === output.fields.length;
  const copy: Echo["copy"] = (request, answer) => {
    const reading = reflect(input, request, false);
    const sent = pairs.filter(([from]) => reading.isSet(from));
    // Nothing was sent: an empty answer would say nothing.
    if (sent.length === 0) return false;
    const writing = reflect(output, answer, false);
    for (const [from, to] of isWhole ? pairs : sent) copyField(reading, from, writing, to);
    return true;
  };
  return { copy, hasRules: declaresRules(output) || pairs.some(([, to]) => hasRulesAbout(to)) };
}

function both(left: Echo, right: Echo): Echo {
  if (right === nothing) return left;
  const copy: Echo["copy"] = (request, answer) => [left, right].filter((each) => each.copy(request, answer)).length > 0;
  return { copy, hasRules: left.hasRules || right.hasRules };
}

/**
 * Fields that are set in the request are set in the answer. Entries of a list have what a request for a list asks for. If the request has all fields of the answer and sets one, unset fields are copied
 * too. If the request contains a message of the answer's type, that message's fields are repeated; a method that writes it adds only fields of
 * the service. If the answer contains the request's type, the request itself becomes that field.
 */
export function echo(contract: Contract, operation: Operation): Echo {
  const { input, output, method } = operation;
  const about = aboutField(input, output);
  if (about !== undefined) {
    const copy: Echo["copy"] = (request, answer) => {
      reflect(output, answer, false).set(about, reflect(input, request, false));
      return true;
    };
    return { copy, hasRules: declaresRules(output) || hasRulesAbout(about) };
  }
  const shared = both(copyShared(operation), entriesAsked(contract, operation));
  const brought = input.fields.find((field) => field.fieldKind === "message" && field.message === output);
  if (brought === undefined) return shared;
  const isWritten = (["create", "update"] as const).some((verb) => nounAfter(verb, method.name) !== undefined);
  const copyInner = copyBrought(output, brought, isWritten);
  const copy: Echo["copy"] = (request, answer) => copyInner(request, answer) || shared.copy(request, answer);
  return { copy, hasRules: hasRulesInside(output) };
}
