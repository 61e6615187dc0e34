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
  type Change,
  type FieldAddedOrRemoved,
  type FieldChange,
} from "@roundtrip/contract/changes";
import type { BreakingChanges, ToolFinding } from "../../basics/breaking-changes.ts";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../../basics/judgement.ts";
import { judgePresence } from "./judge-presence.ts";
import { judgeAddedField, judgeRules } from "./judge-rules.ts";

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

function ofField(change: FieldChange, findings: readonly ToolFinding[]): Judgement {
  switch (change.kind) {
    case "field-renamed":
      return safe(numbersOnWire);
    case "field-renumbered":
      return breaks("fields are identified by number: neither side finds it");
    case "field-type-changed":
      return ofType(change, findings);
    case "field-cardinality-changed":
      return ofCardinality(change);
    case "field-presence-changed":
      return ofPresence(change);
    case "field-oneof-changed":
      return ofOneof(change);
    case "field-default-changed":
      return mayBreak("an absent value means something else to each side");
    case "field-rules-changed":
      return judgeRules(change);
  }
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

function judge(change: Change, findings: readonly ToolFinding[]): Judgement {
  switch (change.kind) {
    case "operation-added":
      return safe("nobody calls it yet");
    case "binding-added":
    case "binding-removed":
    case "binding-changed":
      return safe("methods have paths of their own, and use no HTTP bindings");
    case "operation-removed":
      return breaks("UNIMPLEMENTED: the method is gone");
    case "operation-moved":
      return breaks("UNIMPLEMENTED: package, service and method are its path");
    case "streaming-changed":
      return breaks("callers send or read a different number of messages");
    case "side-effects-changed":
      return change.before.sideEffects === "none" || change.after.sideEffects === "unknown"
        ? mayBreak("the call is the same, but callers may still retry it")
        : safe("the level is not on the wire");
    case "type-moved":
      return safe("type names are not on the wire, except in google.protobuf.Any");
    case "message-rules-changed":
      return judgeRules(change);
    case "field-added":
      return judgeAddedField(change);
    case "field-removed":
      return ofRemovedField(change, findings);
    case "enum-value-added":
      return isReceived(change.locations)
        ? mayBreak("callers receive a number that they do not know")
        : safe("nobody sends it yet");
    case "enum-value-removed":
      return isSent(change.locations)
        ? mayBreak("the server receives a number that it does not know")
        : safe("nobody sends it any more");
    case "enum-value-renamed":
      return safe(numbersOnWire);
    case "enum-value-renumbered":
      return breaks("values are identified by number: it is read as another one");
    default:
      return ofField(change, findings);
  }
}

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
