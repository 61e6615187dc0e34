// How contract changes affect callers that send protobuf's binary form to a method's path: buf's findings on the wire format, refined by the
// direction of values.
import type { DescField } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import {
  isReceived,
  isSameOnTheWire,
  isSent,
  isWithin,
  valueTypeOf,
  type FieldAddedOrRemoved,
  type FieldChange,
} from "@roundtrip/contract/changes";
import type { BreakingChanges, ToolFinding } from "../../basics/breaking-changes.ts";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../../basics/judgement.ts";
import { inEveryStyle, judgeBy, withoutBindings } from "./change-table.ts";
import { judgePresence } from "./judge-presence.ts";
import { judgeAddedField } from "./judge-rules.ts";

const numbersOnWire = "the wire has numbers, not names";

function byBuf(findings: readonly ToolFinding[], rule: RegExp): boolean {
  return findings.some((finding) => rule.test(finding.rule));
}

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

function ofType({ before, after, locations }: FieldChange, findings: readonly ToolFinding[]): Judgement {
  const [older, newer] = [valueTypeOf(before), valueTypeOf(after)];
  if (byBuf(findings, /^FIELD_WIRE_COMPATIBLE_TYPE$/))
    return breaks(`${newer.text} cannot be read from the bytes of ${older.text}`);
  if (before.fieldKind === "map" && after.fieldKind === "map" && before.mapKey !== after.mapKey)
    return mayBreak("same bytes, but some keys of one type do not fit the other");
  if (isSent(locations) && !isWithin(older, newer))
    return mayBreak(`values outside the range of ${newer.text} arrive as other values`);
  if (isReceived(locations) && !isWithin(newer, older))
    return mayBreak(`callers read values outside the range of ${older.text} as other values`);
  return safe(`${older.text} and ${newer.text} have the same bytes for every value that travels`);
}

function ofCardinality({ before, after, locations }: FieldChange): Judgement {
  const isMap = before.fieldKind === "map" || after.fieldKind === "map";
  const readsList = after.fieldKind === "list" ? !isReceived(locations) : !isSent(locations);
  return !isMap && readsList && isSameOnTheWire(before, after)
    ? safe("readers expect a list, and read one value as a list of one")
    : breaks("a reader of one value takes the last of several, or nothing");
}

function ofOneof({ after }: FieldChange): Judgement {
  return after.oneof === undefined || after.oneof.fields.length === 1
    ? safe("a oneof is not on the wire, and this field is its only member")
    : mayBreak("only the last of several members of the oneof arrives");
}

function ofRemovedField({ field, locations }: FieldAddedOrRemoved, findings: readonly ToolFinding[]): Judgement {
  if (isRequired(field) && isReceived(locations)) return breaks("earlier callers refuse answers without it");
  if (byBuf(findings, /^FIELD_WIRE_COMPATIBLE_(?:TYPE|CARDINALITY)$/))
    return breaks("another field of another type has its number now");
  return mayBreak(
    byBuf(findings, /^FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED$/)
      ? "calls succeed without it; reserve its number, so that it is never used again"
      : "calls succeed without it",
  );
}

const judge = judgeBy({
  ...inEveryStyle,
  ...withoutBindings("methods have paths of their own, and use no HTTP bindings"),
  "operation-removed": breaks("UNIMPLEMENTED: the method is gone"),
  "operation-moved": breaks("UNIMPLEMENTED: package, service and method are its path"),
  "streaming-changed": breaks("callers send or read a different number of messages"),
  "side-effects-changed": ({ before, after }) =>
    before.sideEffects === "none" || after.sideEffects === "unknown"
      ? mayBreak("the call is the same, but callers may still retry it")
      : safe("the level is not on the wire"),
  "type-moved": safe("type names are not on the wire, except in google.protobuf.Any"),
  "field-added": judgeAddedField,
  "field-removed": ofRemovedField,
  "field-renamed": safe(numbersOnWire),
  "field-renumbered": breaks("fields are identified by number: neither side finds it"),
  "field-type-changed": ofType,
  "field-cardinality-changed": ofCardinality,
  "field-presence-changed": ofPresence,
  "field-oneof-changed": ofOneof,
  "enum-value-added": ({ locations }) =>
    isReceived(locations) ? mayBreak("callers receive a number that they do not know") : safe("nobody sends it yet"),
  "enum-value-removed": ({ locations }) =>
    isSent(locations)
      ? mayBreak("the server receives a number that it does not know")
      : safe("nobody sends it any more"),
  "enum-value-renamed": safe(numbersOnWire),
  "enum-value-renumbered": breaks("values are identified by number: it is read as another one"),
});

/** @param notCarried kinds of operations that the style does not carry. */
export function protobufChanges(notCarried: BreakingChanges["notCarried"]): BreakingChanges {
  return {
    notCarried,
    usesBuf: true,
    findings: async (_contracts, buf) => buf.filter(({ isOnWire }) => isOnWire),
    judge,
    judgeFinding: ({ text }) => mayBreak(text),
  };
}
