// Judges changes of a field's JSON or URL type. Servers read a numeric field from a number or from digits in text; in JSON, a text field takes text
// only. Clients may accept only the documented type.
import { ScalarType, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { hasOwnJson } from "@roundtrip/contract";
import { isReceived, isSent, type FieldChange, type TypeMoved, type ValueLocation } from "../diff/change.ts";
import { isWithin, numericForms, typeText, valueTypeOf, type JsonForm, type ValueType } from "../diff/value-type.ts";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../judgement.ts";

/** Whether only one of the two is bytes: Base64 is text, and any text may be the Base64 of something else. */
function isOnlyOneBase64(older: ValueType, newer: ValueType): boolean {
  return (older.json === "base64") !== (newer.json === "base64");
}

/** Whether a type has every number of another, to the digit. */
export function hasEveryNumber(type: ValueType, other: ValueType): boolean {
  if (type.wire === "float") return other.wire === "float";
  if (type.json === "number") return other.json !== "integer text";
  return other.json !== "number" && isWithin(other, type);
}

/** Whether the server reads every value in the old form. */
function isReadAs(older: ValueType, newer: ValueType, inUrl: boolean): boolean {
  if (older.json === newer.json && older.json !== "message") return isWithin(older, newer) || older.json === "text";
  if (newer.json === "text")
    return (inUrl && older.json !== "message") || older.json === "name" || older.json === "integer text";
  return numericForms.has(older.json) && numericForms.has(newer.json) && hasEveryNumber(newer, older);
}

function kindOf(json: JsonForm): string {
  return numericForms.has(json) ? "number" : json;
}

/** Whether no text of one type is text of the other in a URL or an element: digits, true and false, and names. */
export function haveOtherWords({ json: older }: ValueType, { json: newer }: ValueType): boolean {
  const words = ["number", "boolean", "name"];
  const [first, second] = [kindOf(older), kindOf(newer)];
  return first !== second && words.includes(first) && words.includes(second);
}

/** Whether the server reads some values in the old form. */
function isReadInPart(older: ValueType, newer: ValueType, inUrl: boolean): boolean {
  if (older.json === newer.json && older.json !== "message") return true;
  if (numericForms.has(older.json) && numericForms.has(newer.json)) return true;
  if (newer.json === "boolean" && !inUrl) return false;
  if (older.json === "integer" && newer.json === "name") return true;
  if (older.json === "name" && newer.json === "integer") return !inUrl;
  if (inUrl && haveOtherWords(older, newer)) return older.json === "integer" && newer.json === "name";
  const isText = inUrl || older.json === "text" || older.json === "integer text";
  return isText && newer.json !== "message" && older.json !== "message";
}

function sent(older: ValueType, newer: ValueType, locations: ReadonlySet<ValueLocation>): Judgement {
  const inUrl = [...locations].every((location) => !location.endsWith("body"));
  if (isOnlyOneBase64(older, newer)) return breaks(`what is sent as ${older.text} is refused or misread`);
  if (isReadAs(older, newer, inUrl)) return safe(`what is sent as ${older.text} is read as ${newer.text}`);
  if (isReadInPart(older, newer, inUrl)) return mayBreak(`INVALID_ARGUMENT for values that do not fit ${newer.text}`);
  return breaks(`INVALID_ARGUMENT: ${newer.text} cannot be read from the JSON of ${older.text}`);
}

const jsonTexts: Readonly<Record<JsonForm, string>> = {
  integer: "a number",
  "integer text": "text of digits",
  number: "a number",
  boolean: "true or false",
  text: "text",
  base64: "text in Base64",
  name: "the text of a name",
  message: "an object",
};

function received(older: ValueType, newer: ValueType): Judgement {
  if (older.json !== newer.json) {
    if (older.json === "text" && (newer.json === "name" || newer.json === "integer text")) {
      return safe(`${jsonTexts[newer.json]} is text`);
    }
    if (older.json === "number" && newer.json === "integer")
      return hasEveryNumber(older, newer)
        ? safe("whole numbers are numbers")
        : mayBreak(`${older.text} does not keep all digits`);
    if (older.json === "integer" && newer.json === "number") return mayBreak("callers receive fractions");
    if (older.json === "name" && newer.json === "integer")
      return mayBreak("callers receive a number instead of a name, which ProtoJSON reads too");
    if (older.json === "integer" && newer.json === "name")
      return mayBreak("callers receive a name instead of a number");
    if ((older.json === "name" || older.json === "integer text") && newer.json === "text")
      return mayBreak(`callers receive text that is not ${jsonTexts[older.json]}`);
    return breaks(`callers receive ${jsonTexts[newer.json]} instead of ${jsonTexts[older.json]}`);
  }
  if (newer.text === "google.protobuf.Any") return mayBreak("callers may refuse its @type");
  if (older.json === "message") return breaks(`callers receive JSON of ${newer.text}`);
  return isWithin(newer, older)
    ? safe("both have the same JSON")
    : mayBreak(`callers receive values outside the range of ${older.text}`);
}

const sameJson: Readonly<Record<string, readonly [kind: "map" | "list", of: string]>> = {
  "google.protobuf.Struct": ["map", "google.protobuf.Value"],
  "google.protobuf.ListValue": ["list", "google.protobuf.Value"],
};

/** Whether a field is a Struct and the other a map of Values, or a ListValue and a list of them. */
export function isSameJson(before: DescField, after: DescField): boolean {
  if (before.fieldKind !== "message") return false;
  const [kind, of] = sameJson[before.message.typeName] ?? [];
  if (after.fieldKind === "map" && after.mapKey !== ScalarType.STRING) return false;
  return after.fieldKind === kind && after.message?.typeName === of;
}

const texts: ReadonlySet<string> = new Set([
  "google.protobuf.Timestamp",
  "google.protobuf.Duration",
  "google.protobuf.FieldMask",
]);

function hasTextForm({ message }: DescField): boolean {
  return message !== undefined && texts.has(message.typeName);
}

/** Whether one is a string, and the other a message that JSON and XML have as text. */
export function isOtherText(before: DescField, after: DescField): boolean {
  return (
    (hasTextForm(before) && after.scalar === ScalarType.STRING) ||
    (hasTextForm(after) && before.scalar === ScalarType.STRING)
  );
}

interface AnyJson {
  readonly kind: "one" | "list" | "map";
  readonly message: DescMessage | undefined;
}

/** What one of the values is: of two lists or two maps, an element. */
function asJson({ fieldKind, message }: DescField, isElement: boolean): AnyJson {
  const isMany = fieldKind === "list" || fieldKind === "map";
  return { kind: isMany && !isElement ? fieldKind : "one", message };
}

/** Whether a message of arbitrary JSON takes all that another field is in JSON: a Value anything, a Struct objects, a ListValue lists. */
function takesAll(reader: AnyJson, writer: AnyJson): boolean {
  if (reader.kind !== "one") return false;
  const written = writer.message?.typeName;
  switch (reader.message?.typeName) {
    case "google.protobuf.Value":
      return true;
    case "google.protobuf.ListValue":
      return writer.kind === "list" || written === "google.protobuf.ListValue";
    case "google.protobuf.Struct":
      return writer.kind === "map" || (writer.kind === "one" && isObject(writer.message));
    default:
      return false;
  }
}

const noObjects = /^google\.protobuf\.(?:Value|ListValue|Timestamp|Duration|FieldMask)$/;

function isObject(message: DescMessage | undefined): boolean {
  return message !== undefined && !isWrapperDesc(message) && !noObjects.test(message.typeName);
}

function judgeForms(older: AnyJson, newer: AnyJson, locations: ReadonlySet<ValueLocation>): Judgement | undefined {
  if (older.kind === newer.kind && older.message?.typeName === newer.message?.typeName) return undefined;
  if (!takesAll(older, newer) && !takesAll(newer, older)) return undefined;
  const judged = (reader: AnyJson, writer: AnyJson): Judgement =>
    takesAll(reader, writer) ? safe("any JSON is taken") : mayBreak("JSON of another form is refused");
  return gravest(
    [...(isSent(locations) ? [judged(newer, older)] : []), ...(isReceived(locations) ? [judged(older, newer)] : [])],
    safe("no caller sends or receives it"),
  );
}

/** Judges a change from or to a field of arbitrary JSON; undefined for other changes. */
export function judgeAnyJson({ before, after, locations }: FieldChange): Judgement | undefined {
  if (isSameJson(before, after) || isSameJson(after, before)) return safe("the JSON is the same");
  const isElement = before.fieldKind === after.fieldKind;
  return judgeForms(asJson(before, isElement), asJson(after, isElement), locations);
}

/** Judges another type of a request or answer. */
export function judgeJsonMessage({ before, after, locations }: TypeMoved): Judgement {
  if (before.kind === "enum" || after.kind === "enum" || !(hasOwnJson(before) || hasOwnJson(after)))
    return safe("JSON has no type names, except in google.protobuf.Any");
  const forms = judgeForms({ kind: "one", message: before }, { kind: "one", message: after }, locations);
  return forms ?? breaks("their JSON has different forms");
}

/** Judges other keys of a map. Only text may be both the words of a boolean and other keys. */
function ofKeys({ before, after }: FieldChange): Judgement {
  const keys = [before, after].map((field) => (field.fieldKind === "map" ? field.mapKey : undefined));
  return keys.includes(ScalarType.BOOL) && !keys.includes(ScalarType.STRING)
    ? breaks("true and false are no numbers")
    : mayBreak(`keys are text, now as in ${typeText(after)}`);
}

/** The type of a field's values in JSON: that of its only field for a wrapper. */
export function jsonTypeOf(field: DescField): ValueType {
  const [inner] = field.message !== undefined && isWrapperDesc(field.message) ? field.message.fields : [];
  return valueTypeOf(inner ?? field);
}

export const zeroIsLost = mayBreak("a zero is not sent, and is read as an empty text");

/** Whether a zero of one type, which is not sent, is read as an empty text by the other, or the reverse. */
export function losesZero({ before, after, locations }: FieldChange): boolean {
  const isOne = [before, after].every(({ fieldKind }) => fieldKind === "scalar" || fieldKind === "enum");
  if (!isOne || (valueTypeOf(before).json === "text") === (valueTypeOf(after).json === "text")) return false;
  return (
    (isSent(locations) && before.presence === Presence.IMPLICIT) ||
    (isReceived(locations) && after.presence === Presence.IMPLICIT)
  );
}

/** The gravest judgement over all positions where callers send or receive the field; safe if there is none. */
export function judgeJsonType(change: FieldChange): Judgement {
  const { before, after, locations } = change;
  if (isOtherText(before, after)) return mayBreak("both are text, one of them in a fixed form");
  const ofAnyJson = judgeAnyJson(change);
  if (ofAnyJson !== undefined) return ofAnyJson;
  const hasOtherKeys = before.fieldKind === "map" && after.fieldKind === "map" && before.mapKey !== after.mapKey;
  const [older, newer] = [jsonTypeOf(before), jsonTypeOf(after)];
  // A path has each of its values.
  const outsidePath = new Set([...locations].filter((location) => location !== "path"));
  if (older.json === "message" && older.text === newer.text && !hasOtherKeys) return safe("the JSON is the same");
  return gravest(
    [
      ...(hasOtherKeys ? [ofKeys(change)] : []),
      ...(isReceived(locations) ? [received(older, newer)] : []),
      ...(isSent(locations) ? [sent(older, newer, locations)] : []),
      ...(losesZero({ ...change, locations: outsidePath }) ? [zeroIsLost] : []),
    ],
    safe("no caller sends or receives it"),
  );
}

/** The same where all of a request is in its body, wherever REST has it. */
export function judgeTypeInBody(change: FieldChange): Judgement {
  const locations = [...change.locations].map((location) => (location.endsWith("answer") ? location : "body"));
  return judgeJsonType({ ...change, locations: new Set(locations) });
}
