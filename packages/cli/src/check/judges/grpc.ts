// What a change does to gRPC callers that run already: what of it is on the wire. Found by buf, and looked at for what buf cannot know: which
// values there are, and which way they travel.
import { isReceived, isSent, type Change, type FieldChange } from "../change.ts";
import { isSameOnTheWire, isWithin, valueTypeOf } from "../changes/value-type.ts";
import { breaks, mayBreak, safe, type Judgement } from "../judgement.ts";
import type { Finding } from "../tools/finding.ts";
import { isUnknownChoice, unknownChoice } from "./choice.ts";
import { judgePresence } from "./presence.ts";
import { judgeRules } from "./rules.ts";

function byBuf(findings: readonly Finding[], rule: RegExp): boolean {
  return findings.some((finding) => rule.test(finding.rule));
}

function ofType({ before, after, places }: FieldChange, findings: readonly Finding[]): Judgement {
  if (byBuf(findings, /^FIELD_WIRE_COMPATIBLE_TYPE$/)) {
    return breaks(`bytes of ${valueTypeOf(before).text} are no bytes of ${valueTypeOf(after).text}`);
  }
  const [old, young] = [valueTypeOf(before), valueTypeOf(after)];
  if (before.fieldKind === "map" && after.fieldKind === "map" && before.mapKey !== after.mapKey) {
    return mayBreak("the bytes are the same, but not every key of the one type is a key of the other");
  }
  if (isSent(places) && !isWithin(old, young))
    return mayBreak(`values that ${young.text} does not have arrive as others`);
  if (isReceived(places) && !isWithin(young, old)) {
    return mayBreak(`callers read values that ${old.text} does not have as others`);
  }
  return safe(`${old.text} and ${young.text} are the same bytes, for every value that travels`);
}

function ofCardinality({ before, after, places }: FieldChange): Judgement {
  const isMap = before.fieldKind === "map" || after.fieldKind === "map";
  const readsList = after.fieldKind === "list" ? !isReceived(places) : !isSent(places);
  if (!isMap && readsList && isSameOnTheWire(before, after))
    return safe("who reads it reads a list, and takes one value as one of one");
  return breaks("a reader of one value takes the last of many, or none at all");
}

/** Whether a oneof is made of fields that were none before, and of this one alone. */
function isAlone({ after }: FieldChange): boolean {
  return after.oneof !== undefined && after.oneof.fields.length === 1;
}

function ofField(change: FieldChange, findings: readonly Finding[]): Judgement {
  switch (change.kind) {
    case "field-renamed":
      return safe("the wire has numbers, not names");
    case "field-renumbered":
      return breaks("its number is its name on the wire: neither side finds it");
    case "field-type-changed":
      return ofType(change, findings);
    case "field-cardinality-changed":
      return ofCardinality(change);
    case "field-presence-changed":
      return byBuf(findings, /^MESSAGE_SAME_REQUIRED_FIELDS$/)
        ? breaks("a reader refuses a message that lacks a required field")
        : judgePresence(change);
    case "field-oneof-changed":
      return isAlone(change) || change.after.oneof === undefined
        ? safe("a oneof is nothing on the wire, and this field is the only one in it")
        : mayBreak("of several members of the oneof in one message, the last one alone arrives");
    case "field-default-changed":
      return mayBreak("an absent value means another one to each side");
    case "field-rules-changed":
      return judgeRules(change);
  }
}

/** Judges a change, with buf's findings of the wire that belong to it. */
export function judgeGrpc(change: Change, findings: readonly Finding[]): Judgement {
  switch (change.kind) {
    case "operation-added":
    case "binding-added":
    case "binding-removed":
    case "binding-changed":
      return safe(change.kind === "operation-added" ? "nobody calls it yet" : "HTTP bindings are not for gRPC");
    case "operation-removed":
      return breaks("UNIMPLEMENTED: there is no such method");
    case "operation-moved":
      return breaks("UNIMPLEMENTED: package, service and method are its path");
    case "streaming-changed":
      return breaks("a caller sends or reads another number of messages");
    case "side-effects-changed":
      return change.before.sideEffects === "none" || change.after.sideEffects === "unknown"
        ? mayBreak("the call is the same, but callers may repeat it as if that changed nothing")
        : safe("the level is not on the wire");
    case "type-moved":
      return safe("names of types are not on the wire, except in google.protobuf.Any");
    case "message-rules-changed":
      return judgeRules(change);
    case "field-added":
      return judgeAdded(change, findings);
    case "field-removed":
      if (byBuf(findings, /^FIELD_WIRE_COMPATIBLE_(?:TYPE|CARDINALITY)$/)) {
        return breaks("its number belongs to another field now, of another type");
      }
      return mayBreak(
        byBuf(findings, /^FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED$/)
          ? "calls go on without it; its number is not reserved, and must never be used again"
          : "calls go on without it",
      );
    case "enum-value-added":
      return isReceived(change.places)
        ? mayBreak("callers receive a number that they have no name for")
        : safe("nobody sends it yet");
    case "enum-value-removed":
      return isSent(change.places)
        ? mayBreak("the server receives a number that it has no name for")
        : safe("nobody sends it any more");
    case "enum-value-renamed":
      return safe("the wire has numbers, not names");
    case "enum-value-renumbered":
      return breaks("its number is its name on the wire: it is read as another value");
    default:
      return ofField(change, findings);
  }
}

function judgeAdded(
  change: Extract<Change, { kind: "field-added" | "field-removed" }>,
  findings: readonly Finding[],
): Judgement {
  if (byBuf(findings, /^MESSAGE_SAME_REQUIRED_FIELDS$/)) {
    return breaks("a reader refuses a message that lacks a required field");
  }
  return isUnknownChoice(change) ? mayBreak(unknownChoice) : judgeRules(change);
}
