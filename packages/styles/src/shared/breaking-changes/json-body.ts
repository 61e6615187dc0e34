// Judges changes of messages that are JSON as a whole, as in the params of JSON-RPC, and in a google.protobuf.Any of a style that has its JSON.
import { isReceived, isSent, type FieldAddedOrRemoved, type FieldChange } from "@roundtrip/contract/changes";
import { breaks, gravest, mayBreak, safe, type Judgement } from "../../basics/judgement.ts";
import { inEveryStyle, judgeBy, withoutBindings } from "./change-table.ts";
import { inJson } from "./judge-json-names.ts";
import { judgeAnyJson, judgeTypeInBody } from "./judge-json-type.ts";

function ofRenamed({ before, after, locations }: FieldChange): Judgement {
  if (before.jsonName === after.jsonName) return safe("it keeps its JSON name");
  if (before.jsonName === after.name && !isReceived(locations))
    return safe("servers also read the name in the contract");
  const found = [
    ...(isSent(locations) ? [breaks(`INVALID_ARGUMENT: unknown field ${before.jsonName}`)] : []),
    ...(isReceived(locations) ? [breaks(`answers no longer have ${before.jsonName}`)] : []),
  ];
  return gravest(found, safe("no caller sends or receives it"));
}

export const inJsonBody = {
  ...inEveryStyle,
  ...inJson,
  "field-removed": ({ field, locations }: FieldAddedOrRemoved) =>
    isSent(locations)
      ? breaks(`INVALID_ARGUMENT: unknown field ${field.jsonName}`)
      : mayBreak("calls succeed without it"),
  "field-renamed": ofRenamed,
  "field-type-changed": judgeTypeInBody,
  "field-cardinality-changed": (change: FieldChange) =>
    judgeAnyJson(change) ?? breaks("in JSON, several values are an array and one value is not"),
} as const;

const ofNoMessage = safe("it is of no message");

/** Judges a change of a message that is in an Any as JSON. */
export const judgeInJson = judgeBy({
  ...inJsonBody,
  ...withoutBindings("it is of no message"),
  "operation-removed": ofNoMessage,
  "operation-moved": ofNoMessage,
  "streaming-changed": ofNoMessage,
  "side-effects-changed": ofNoMessage,
});
