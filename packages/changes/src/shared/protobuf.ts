// How contract changes affect callers that send protobuf's binary form to a method's path: numbers, forms on the wire, and the direction of values.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { hasOwnJson, streamsRequests } from "@roundtrip/contract";
import {
  isBesideOneof,
  isReceived,
  isSent,
  streamsAnswers,
  type FieldAddedOrRemoved,
  type FieldChange,
  type OperationChange,
} from "../diff/change.ts";
import { isSameOnTheWire, isWithin, typeText, valueTypeOf } from "../diff/value-type.ts";
import { type BreakingChanges, breaks, gravest, mayBreak, safe, type Judgement } from "../judgement.ts";
import { inEveryStyle, judgeBy, withoutBindings, judgePresence } from "./change-table.ts";
import { judgeAddedField } from "./rules.ts";

const numbersOnWire = "the wire has numbers, not names";

/** Whether readers refuse a message without the field (proto2). */
function isRequired({ presence }: DescField): boolean {
  return presence === Presence.LEGACY_REQUIRED;
}

function ofPresence(change: FieldChange): Judgement {
  const { before, after, locations } = change;
  const found = [
    ...(isRequired(after) && isSent(locations) ? [breaks("INVALID_ARGUMENT: it is required now")] : []),
    ...(isRequired(before) && isReceived(locations)
      ? [mayBreak("earlier callers refuse answers that lack it, which are allowed now")]
      : []),
  ];
  return gravest(
    found,
    isRequired(before) || isRequired(after) ? safe("who sends it may go on") : judgePresence(change),
  );
}

/** Of types that are not compared field by field, because JSON has forms of its own for one of them. */
function ofMessageType(older: DescMessage, newer: DescMessage, locations: FieldChange["locations"]): Judgement {
  if (older.typeName === newer.typeName) return safe("the bytes are the same");
  const [inner, newInner] = [older.fields[0], newer.fields[0]];
  if (isWrapperDesc(older) && isWrapperDesc(newer) && inner !== undefined && newInner !== undefined)
    return ofType({ kind: "field-type-changed", where: "", what: "", before: inner, after: newInner, locations });
  const isSame =
    older.fields.length === newer.fields.length &&
    older.fields.every((field) =>
      newer.fields.some((other) => other.number === field.number && isSameOnTheWire(field, other)),
    );
  return isSame
    ? mayBreak(`${newer.typeName} has the same fields, with another meaning`)
    : breaks(`${newer.typeName} cannot be read from the bytes of ${older.typeName}`);
}

/** Whether a reader takes the bytes of any number but 0 as true. */
function isReadAsTruth(writer: DescField, reader: DescField): boolean {
  return reader.fieldKind !== "map" && valueTypeOf(writer).wire === "zigzag" && valueTypeOf(reader).text === "bool";
}

/** Whether a message became bytes, which its encoding is. */
function isEncoding(message: DescField, bytes: DescField): boolean {
  const isOfKind =
    message.fieldKind === bytes.fieldKind || (message.fieldKind === "message" && bytes.fieldKind === "scalar");
  return isOfKind && valueTypeOf(message).wire === "message" && valueTypeOf(bytes).text === "bytes";
}

function ofType({ before, after, locations }: FieldChange): Judgement {
  const [older, newer] = [valueTypeOf(before), valueTypeOf(after)];
  if (!isSameOnTheWire(before, after)) {
    const isTruth =
      (!isSent(locations) || isReadAsTruth(before, after)) && (!isReceived(locations) || isReadAsTruth(after, before));
    if (isEncoding(before, after) || isEncoding(after, before))
      return mayBreak("bytes are read as a message only if they are one");
    return isTruth
      ? mayBreak("every number but 0 is read as true")
      : breaks(`${typeText(after)} cannot be read from the bytes of ${typeText(before)}`);
  }
  if (before.fieldKind === "map" && after.fieldKind === "map" && before.mapKey !== after.mapKey)
    return mayBreak("same bytes, but some keys of one type do not fit the other");
  if (before.message !== undefined && after.message !== undefined)
    return ofMessageType(before.message, after.message, locations);
  if (isSent(locations) && !isWithin(older, newer))
    return mayBreak(`values outside the range of ${newer.text} arrive as other values`);
  if (isReceived(locations) && !isWithin(newer, older))
    return mayBreak(`callers read values outside the range of ${older.text} as other values`);
  return safe(`${older.text} and ${newer.text} have the same bytes for every value that travels`);
}

function hasMoreThanEntry({ fieldKind, message }: DescField): boolean {
  return fieldKind === "list" && message?.fields.some(({ number }) => number > 2) === true;
}

function ofCardinality({ before, after, locations }: FieldChange): Judgement {
  if (!isSameOnTheWire(before, after)) return breaks(`the bytes of ${typeText(before)} cannot be read`);
  if ([before, after].every(({ fieldKind }) => fieldKind === "map" || fieldKind === "list"))
    return hasMoreThanEntry(before) || hasMoreThanEntry(after)
      ? mayBreak("an entry of a map has a key and a value: other fields are lost")
      : safe("a map is a list of entries on the wire");
  const readsList = after.fieldKind === "list" ? !isReceived(locations) : !isSent(locations);
  return readsList
    ? safe("readers expect a list, and read one value as a list of one")
    : breaks("a reader of one value takes the last of several, or nothing");
}

function ofUtf8({ after, locations }: FieldChange): Judgement {
  if (after.utf8Validation)
    return isSent(locations)
      ? mayBreak("requests with text that is no UTF-8 are refused")
      : safe("callers read what arrives");
  return isReceived(locations)
    ? mayBreak("earlier callers refuse text that is no UTF-8, which may be sent now")
    : safe("the server takes more");
}

function ofOneof(change: FieldChange): Judgement {
  const { after, locations } = change;
  if (isBesideOneof(change)) return mayBreak("earlier callers take the last of several that arrive");
  if (!isSent(locations)) return safe("callers read the members that arrive");
  return after.oneof === undefined || after.oneof.fields.length === 1
    ? safe("a oneof is not on the wire, and this field is its only member")
    : mayBreak("only the last of several members of the oneof arrives");
}

function ofRemovedField({ field, locations, replacement }: FieldAddedOrRemoved): Judgement {
  if (isRequired(field) && isReceived(locations)) return breaks("earlier callers refuse answers without it");
  return replacement === undefined
    ? mayBreak("calls succeed without it; reserve its number, so that it is never used again")
    : breaks(`${replacement.name} has its number now, with another type`);
}

/** One message is a stream of one on the wire. */
function ofStreaming({ before, after }: OperationChange): Judgement {
  if (streamsRequests(before) && !streamsRequests(after)) return breaks("the server takes one request of the stream");
  if (!streamsAnswers(before) && streamsAnswers(after)) return breaks("callers read one answer of the stream");
  return safe("one message is a stream of one");
}

const judge = judgeBy({
  ...inEveryStyle,
  ...withoutBindings("methods have paths of their own, and use no HTTP bindings"),
  "operation-removed": breaks("UNIMPLEMENTED: the method is gone"),
  "operation-moved": breaks("UNIMPLEMENTED: package, service and method are its path"),
  "streaming-changed": ofStreaming,
  "side-effects-changed": ({ before, after }) =>
    before.sideEffects === "none" || after.sideEffects === "unknown"
      ? mayBreak("the call is the same, but callers may still retry it")
      : safe("the level is not on the wire"),
  "type-moved": ({ before, after, locations }) =>
    before.kind === "message" && after.kind === "message" && (hasOwnJson(before) || hasOwnJson(after))
      ? ofMessageType(before, after, locations)
      : safe("type names are not on the wire, except in google.protobuf.Any"),
  "field-added": judgeAddedField,
  "field-removed": ofRemovedField,
  "field-renamed": safe(numbersOnWire),
  "field-renumbered": breaks("fields are identified by number: neither side finds it"),
  "field-type-changed": ofType,
  "field-cardinality-changed": ofCardinality,
  "field-presence-changed": ofPresence,
  "field-oneof-changed": ofOneof,
  "field-utf8-changed": ofUtf8,
  "enum-value-added": ({ isAlias, locations }) =>
    !isAlias && isReceived(locations)
      ? mayBreak("callers receive a number that they do not know")
      : safe("the number is known, or nobody sends it yet"),
  "enum-value-removed": ({ isAlias, locations }) =>
    !isAlias && isSent(locations)
      ? mayBreak("the server receives a number that it does not know")
      : safe("the number is known, or nobody sends it any more"),
  "enum-value-renamed": safe(numbersOnWire),
  "enum-value-renumbered": breaks("values are identified by number: it is read as another one"),
  "enum-value-alias-first": safe(numbersOnWire),
  "enum-closed": ({ locations }) =>
    isSent(locations)
      ? breaks("the server takes a number without a name as an unknown field")
      : safe("the server sends known numbers only"),
  "enum-opened": ({ locations }) =>
    isReceived(locations)
      ? mayBreak("callers may receive a number that they do not know")
      : safe("the server takes more"),
});

/** @param notCarried kinds of operations that the style does not carry. */
export function protobufChanges(notCarried: BreakingChanges["notCarried"]): BreakingChanges {
  return { notCarried, judge, leftOver: () => [] };
}
