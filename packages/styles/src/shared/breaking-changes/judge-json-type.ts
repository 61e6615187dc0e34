// Judges changes of a field's JSON or URL type. Servers read a numeric field from a number or from digits in text; in JSON, a text field takes text
// only. Clients may accept only the documented type.
import {
  isReceived,
  isSent,
  isWithin,
  typeText,
  valueTypeOf,
  type FieldChange,
  type JsonForm,
  type ValueLocation,
  type ValueType,
} from "@roundtrip/contract/changes";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../../basics/judgement.ts";

const numbers: ReadonlySet<JsonForm> = new Set(["integer", "integer text", "number"]);

/** Whether only one of the two is bytes: Base64 is text, and any text may be the Base64 of something else. */
function isOnlyOneBase64(older: ValueType, newer: ValueType): boolean {
  return (older.json === "base64") !== (newer.json === "base64");
}

/** Whether the server reads every value in the old form. */
function isReadAs(older: ValueType, newer: ValueType, inUrl: boolean): boolean {
  if (older.json === newer.json && older.json !== "message") return isWithin(older, newer) || older.json === "text";
  if (newer.json === "text") return inUrl || older.json === "name" || older.json === "integer text";
  if (numbers.has(older.json) && numbers.has(newer.json)) return newer.json === "number" || isWithin(older, newer);
  return false;
}

/** Whether the server reads some values in the old form. */
function isReadInPart(older: ValueType, newer: ValueType, inUrl: boolean): boolean {
  if (older.json === newer.json && older.json !== "message") return true;
  if (numbers.has(older.json) && numbers.has(newer.json)) return true;
  if (older.json === "integer" && newer.json === "name") return true;
  const isText = inUrl || older.json === "text" || older.json === "integer text";
  return isText && newer.json !== "message" && older.json !== "message";
}

function sent(older: ValueType, newer: ValueType, locations: ReadonlySet<ValueLocation>): Judgement {
  const inUrl = [...locations].every((location) => location !== "body");
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
    if (older.json === "number" && newer.json === "integer") return safe("whole numbers are numbers");
    if (older.json === "integer" && newer.json === "number") return mayBreak("callers receive fractions");
    if (older.json === "name" && newer.json === "text")
      return mayBreak("callers receive text other than the known names");
    return breaks(`callers receive ${jsonTexts[newer.json]} instead of ${jsonTexts[older.json]}`);
  }
  if (older.json === "message") return breaks(`callers receive JSON of ${newer.text}`);
  return isWithin(newer, older)
    ? safe("both have the same JSON")
    : mayBreak(`callers receive values outside the range of ${older.text}`);
}

/** The gravest judgement over all positions where callers send or receive the field; safe if there is none. */
export function judgeJsonType({ before, after, locations }: FieldChange): Judgement {
  const hasOtherKeys = before.fieldKind === "map" && after.fieldKind === "map" && before.mapKey !== after.mapKey;
  const [older, newer] = [valueTypeOf(before), valueTypeOf(after)];
  return gravest(
    [
      ...(hasOtherKeys ? [mayBreak(`keys are text, now as in ${typeText(after)}`)] : []),
      ...(isReceived(locations) ? [received(older, newer)] : []),
      ...(isSent(locations) ? [sent(older, newer, locations)] : []),
    ],
    safe("no caller sends or receives it"),
  );
}
