// How contract changes affect existing SOAP callers: names of elements, their order, and the types of their text.
import { ScalarType, type DescEnum, type DescEnumValue, type DescMessage } from "@bufbuild/protobuf";
import {
  isBesideOneof,
  isReceived,
  isSent,
  type FieldAddedOrRemoved,
  type FieldChange,
  type TypeMoved,
} from "../diff/change.ts";
import { hasOwnJson, memoize } from "@roundtrip/contract";
import { firstOf } from "../diff/contract-changes.ts";
import { isOfExtension, travels } from "../diff/types.ts";
import { numericForms, type ValueType } from "../diff/value-type.ts";
import {
  type BreakingChanges,
  type ComparedContracts,
  breaks,
  gravest,
  mayBreak,
  safe,
  type Judgement,
} from "../judgement.ts";
import { inEveryStyle, judgeBy, withoutBindings } from "../shared/change-table.ts";
import { judgeNamedPresence, namedEnumValues } from "../shared/json-messages.ts";
import {
  hasEveryNumber,
  haveOtherWords,
  isOtherText,
  jsonTypeOf,
  losesZero,
  zeroIsLost,
} from "../shared/json-types.ts";
import { protobufChanges } from "../shared/protobuf.ts";
import { judgeRules } from "../shared/rules.ts";
import { fieldsOf, particlesOf } from "@roundtrip/styles/soap/server";

const namesOnly = "elements have names, not numbers, and keep their order";

/** Both judgements that apply: what callers send, and what they receive. */
function bothWays(
  { locations }: Pick<FieldChange, "locations">,
  sent: () => Judgement,
  received: () => Judgement,
): Judgement {
  const found = [...(isSent(locations) ? [sent()] : []), ...(isReceived(locations) ? [received()] : [])];
  return gravest(found, safe("nobody uses it"));
}

/** The names that the message had before, in the order of one of its versions. */
function namesInOrder(message: DescMessage, { before }: FieldChange): string {
  const kept = new Set(before.parent.fields.map(({ name }) => name));
  return particlesOf(message)
    .flatMap(fieldsOf)
    .map(({ name }) => name)
    .filter((name) => kept.has(name))
    .join(" ");
}

function keepsOrder(change: FieldChange): boolean {
  return namesInOrder(change.before.parent, change) === namesInOrder(change.after.parent, change);
}

function ofOrder(change: FieldChange): Judgement {
  return keepsOrder(change) ? safe(namesOnly) : breaks("the schema has the elements in another order");
}

/** How many values of one type can be read as the other. */
function readable(from: ValueType, to: ValueType): "all" | "some" | "none" {
  if (from.json === "message" || to.json === "message") return "none";
  if (from.json === "base64" || to.json === "base64") return from.json === to.json ? "all" : "none";
  if (to.json === "text") return from.json === "number" ? "some" : "all";
  if (haveOtherWords(from, to)) return numericForms.has(from.json) && to.json === "boolean" ? "some" : "none";
  if (numericForms.has(from.json) && numericForms.has(to.json)) return hasEveryNumber(to, from) ? "all" : "some";
  return from.json === to.json && from.json === "boolean" ? "all" : "some";
}

/** In SOAP, other messages with a text form have another one than in JSON, or none. */
function isTimestamp({ message }: FieldChange["before"]): boolean {
  return message?.typeName === "google.protobuf.Timestamp";
}

function isWord(from: ScalarType, to: ScalarType): boolean {
  return from === ScalarType.BOOL && to !== ScalarType.BOOL && to !== ScalarType.STRING;
}

/** Judges other keys of a map: a boolean is read from 1, and is written as a word. */
function ofKeys(change: FieldChange, older: ScalarType, newer: ScalarType): Judgement {
  const some = mayBreak("some keys of one type do not fit the other");
  const none = breaks("true and false are no numbers");
  return bothWays(
    change,
    () => (isWord(older, newer) ? none : some),
    () => (isWord(newer, older) ? none : some),
  );
}

function ofType(change: FieldChange): Judgement {
  const { before, after } = change;
  if (isOtherText(before, after) && [before, after].some(isTimestamp))
    return mayBreak("both are text, one of them in a fixed form");
  const [older, newer] = [jsonTypeOf(before), jsonTypeOf(after)];
  const hasOtherKeys = before.fieldKind === "map" && after.fieldKind === "map" && before.mapKey !== after.mapKey;
  const ofValues = ofValueType(change, older, newer);
  return gravest(
    [
      ofValues,
      ...(hasOtherKeys ? [ofKeys(change, before.mapKey, after.mapKey)] : []),
      ...(losesZero(change) ? [zeroIsLost] : []),
    ],
    ofValues,
  );
}

function ofValueType(change: FieldChange, older: ValueType, newer: ValueType): Judgement {
  if (older.json === "message" && older.text === newer.text) return safe("the elements are the same");
  const judged = { all: safe, some: mayBreak, none: breaks };
  return bothWays(
    change,
    () => judged[readable(older, newer)](`callers send ${older.text}, and the server reads ${newer.text}`),
    () => judged[readable(newer, older)](`the server sends ${newer.text}, and callers read ${older.text}`),
  );
}

/** Elements of messages have no namespace. Types with JSON of their own are not compared field by field. */
function ofTypeMoved({ before, after }: TypeMoved): Judgement {
  const [older = "", newer = ""] = [before, after].map((type) =>
    type.kind === "message" ? type.fields.map(({ name }) => name).join(" ") : "",
  );
  const isOwn = [before, after].some((type) => type.kind === "message" && hasOwnJson(type));
  if (isOwn && older !== newer) return breaks("they have different elements");
  return safe("the elements are the same");
}

function hasEntryNames({ fieldKind, message }: FieldChange["before"]): boolean {
  return fieldKind === "map" || message?.fields.map(({ name }) => name).join(" ") === "key value";
}

function ofCardinality(change: FieldChange): Judgement {
  const { before, after } = change;
  if (before.fieldKind === "map" || after.fieldKind === "map")
    return hasEntryNames(before) && hasEntryNames(after)
      ? mayBreak("entries of a map have the same elements, with types or numbers of their own")
      : breaks("entries of a map are other elements");
  const isMore = after.fieldKind === "list";
  return bothWays(
    change,
    () => (isMore ? safe("one element is a list of one") : mayBreak("INVALID_ARGUMENT for more than one element")),
    () => (isMore ? mayBreak("callers that expect one element receive several") : safe("one element is a list of one")),
  );
}

function ofOneof(change: FieldChange): Judgement {
  if (!keepsOrder(change)) return breaks("the elements stand in another order");
  if (isBesideOneof(change)) return mayBreak("callers refuse answers with several elements of the choice");
  const isAlone = change.after.oneof === undefined || change.after.oneof.fields.length === 1;
  return isAlone || !isSent(change.locations)
    ? safe("a choice has no element of its own")
    : mayBreak("INVALID_ARGUMENT if a request has several elements of the choice");
}

function ofRenamed({ before, after }: FieldChange): Judgement {
  return before.name === after.name
    ? safe("elements have the names of the contract, not those in JSON")
    : breaks(`the element ${before.name} has another name`);
}

function ofAdded(change: FieldAddedOrRemoved, contracts: ComparedContracts): Judgement {
  const ofRules = judgeRules(change, contracts);
  return isReceived(change.locations)
    ? gravest([ofRules, mayBreak("callers that check answers against their schema refuse it")], ofRules)
    : ofRules;
}

const named = namedEnumValues(
  "callers receive a name that their schema does not have",
  "elements have names of values, not numbers",
);

/** Second names of a number. A caller whose schema has both reads either. */
const aliases: Pick<typeof named, "enum-value-alias-first" | "enum-value-removed" | "enum-closed"> = {
  "enum-closed": safe("elements have names of values, not numbers"),
  "enum-value-alias-first": ({ before, after, locations }) => {
    const isKnown = namesOf(before.parent).has(firstName(after));
    if (before.number === after.number && !isReceived(locations)) return safe("its name is still read");
    return isReceived(locations) && (before.number !== after.number || !isKnown)
      ? breaks("callers receive another name of its number")
      : mayBreak("it is read as another value, or has another name");
  },
  "enum-value-removed": ({ value, isAlias, locations }) => {
    const isWritten = firstName(value) === value.name;
    if (isSent(locations)) return (isAlias && !isWritten ? mayBreak : breaks)("INVALID_ARGUMENT: unknown name");
    return isAlias ? mayBreak("its number is written as another name") : safe("nobody sends it any more");
  },
};

const namesOf = memoize(({ values }: DescEnum) => new Set(values.map(({ name }) => name)));

function firstName(value: DescEnumValue): string {
  return firstOf(value).name;
}

const judge = judgeBy({
  ...inEveryStyle,
  ...withoutBindings("SOAP does not use HTTP bindings"),
  ...named,
  ...aliases,
  "operation-removed": breaks("UNIMPLEMENTED: its element is gone"),
  "operation-moved": breaks("UNIMPLEMENTED: its element is in the namespace of another service"),
  "streaming-changed": breaks("SOAP carries an operation without streams only"),
  "side-effects-changed": safe("every call is a POST"),
  "type-moved": ofTypeMoved,
  "field-added": ofAdded,
  "field-removed": ({ field, locations }) =>
    isSent(locations)
      ? breaks(`INVALID_ARGUMENT: unknown element ${field.name}`)
      : mayBreak("calls succeed without it"),
  "field-renamed": ofRenamed,
  "field-renumbered": ofOrder,
  "field-type-changed": ofType,
  "field-cardinality-changed": ofCardinality,
  "field-presence-changed": judgeNamedPresence,
  "field-oneof-changed": ofOneof,
});

const ofBytes = protobufChanges([]);

/** SOAP has the bytes of an Any. It carries no extensions elsewhere: its schema has the fields of a message. */
function judgeCarried(...[change, contracts]: Parameters<BreakingChanges["judge"]>): Judgement {
  const { isDirect, isInAny } = travels(change, contracts);
  const direct = isOfExtension(change) ? safe("SOAP carries no extensions") : judge(change, contracts);
  if (!isInAny) return direct;
  const packed = ofBytes.judge(change, contracts);
  return isDirect ? gravest([direct, packed], direct) : packed;
}

export const breakingChanges: BreakingChanges = {
  notCarried: ["server_streaming", "client_streaming", "bidi_streaming"],
  judge: judgeCarried,
  leftOver: () => [],
};
