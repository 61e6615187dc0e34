// What a change of a field's type does to JSON and URLs. Servers take a number as text too, and text that is one as a number; readers of answers
// are held to nothing but the document, so to them a number and text are different things.
import { isReceived, isSent, type FieldChange, type Place } from "../change.ts";
import { isWithin, typeText, valueTypeOf, type JsonForm, type ValueType } from "../changes/value-type.ts";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../judgement.ts";

const numbers: ReadonlySet<JsonForm> = new Set(["integer", "integer text", "number"]);

/** True when one of the two is bytes: Base64 is text, and any text may be Base64, but of something else. */
function isOtherSpelling(old: ValueType, young: ValueType): boolean {
  return (old.json === "base64") !== (young.json === "base64");
}

/** True when the server reads whatever the old form spells. */
function isReadAs(old: ValueType, young: ValueType, inUrl: boolean): boolean {
  if (old.json === young.json && old.json !== "message") return isWithin(old, young) || old.json === "text";
  if (young.json === "text") return inUrl || old.json === "name" || old.json === "integer text";
  if (numbers.has(old.json) && numbers.has(young.json)) return young.json === "number" || isWithin(old, young);
  return false;
}

/** True when it reads at least some of it. */
function isReadInPart(old: ValueType, young: ValueType, inUrl: boolean): boolean {
  if (old.json === young.json && old.json !== "message") return true;
  if (numbers.has(old.json) && numbers.has(young.json)) return true;
  if (old.json === "integer" && young.json === "name") return true;
  const isSpelledAsText = inUrl || old.json === "text" || old.json === "integer text";
  return isSpelledAsText && young.json !== "message" && old.json !== "message";
}

function sent(old: ValueType, young: ValueType, places: ReadonlySet<Place>): Judgement {
  const inUrl = [...places].every((place) => place !== "body");
  if (isOtherSpelling(old, young)) return breaks(`what is sent as ${old.text} is refused, or read as something else`);
  if (isReadAs(old, young, inUrl)) return safe(`what is sent as ${old.text} is read as ${young.text}`);
  if (isReadInPart(old, young, inUrl)) return mayBreak(`INVALID_ARGUMENT for what is no ${young.text}`);
  return breaks(`INVALID_ARGUMENT: JSON of ${old.text} is none of ${young.text}`);
}

/** How JSON spells a form. */
const spelled: Readonly<Record<JsonForm, string>> = {
  integer: "a number",
  "integer text": "text of digits",
  number: "a number",
  boolean: "true or false",
  text: "text",
  base64: "text in Base64",
  name: "the text of a name",
  message: "an object",
};

function received(old: ValueType, young: ValueType): Judgement {
  if (old.json !== young.json) {
    if (old.json === "text" && (young.json === "name" || young.json === "integer text")) {
      return safe(`${spelled[young.json]} is text`);
    }
    if (old.json === "number" && young.json === "integer") return safe("whole numbers are numbers");
    if (old.json === "integer" && young.json === "number") return mayBreak("callers receive fractions");
    if (old.json === "name" && young.json === "text") return mayBreak("callers receive text that is none of the names");
    return breaks(`callers receive ${spelled[young.json]} instead of ${spelled[old.json]}`);
  }
  if (old.json === "message") return breaks(`callers receive JSON of ${young.text}`);
  return isWithin(young, old)
    ? safe("JSON has the same for both")
    : mayBreak(`callers receive values that ${old.text} does not have`);
}

/** Judges a change of a field's type. */
export function judgeJsonType({ before, after, places }: FieldChange): Judgement {
  if (before.fieldKind === "map" && after.fieldKind === "map" && before.mapKey !== after.mapKey) {
    return mayBreak(`keys are text, of ${typeText(after)} now`);
  }
  const [old, young] = [valueTypeOf(before), valueTypeOf(after)];
  return gravest(
    [...(isReceived(places) ? [received(old, young)] : []), ...(isSent(places) ? [sent(old, young, places)] : [])],
    safe("no caller sends or receives it"),
  );
}
