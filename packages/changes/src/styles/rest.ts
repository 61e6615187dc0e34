// How contract changes affect existing REST callers: paths, queries and JSON. The rules are Roundtrip's own, because both OpenAPI documents come
// from one generator (docs/decisions/0174-what-a-change-breaks-is-judged-for-each-style.md).
import { isBeyondUrls, streamsRequests, type Operation } from "@roundtrip/contract";
import {
  isReceived,
  streamsAnswers,
  type FieldChange,
  type OperationChange,
  type TypeMoved,
  type ValueLocation,
} from "../diff/change.ts";
import { operationPairs } from "../diff/operation-changes.ts";
import {
  type BreakingChanges,
  type ComparedContracts,
  breaks,
  gravest,
  mayBreak,
  safe,
  type Judgement,
} from "../judgement.ts";
import { inEveryStyle, judgeBy } from "../shared/change-table.ts";
import { inJson } from "../shared/json-messages.ts";
import { judgeAnyJson, judgeJsonType } from "../shared/json-types.ts";
import { answersNothing, answerHttpBody, requestHttpBody } from "@roundtrip/styles/rest/server";
import { judgeNewRoutes, judgeRemoved, judgeRoute } from "./rest-routes.ts";

function isNamedIn(locations: ReadonlySet<ValueLocation>): boolean {
  return locations.has("query") || locations.has("body");
}

function ofRenamed({ before, after, locations }: FieldChange): Judgement {
  if (before.jsonName === after.jsonName) return safe("it keeps its JSON name");
  if (before.jsonName === after.name && !locations.has("answer"))
    return safe("servers also read the name in the contract");
  const found = [
    ...(isNamedIn(locations) ? [breaks(`INVALID_ARGUMENT: unknown field ${before.jsonName}`)] : []),
    ...(locations.has("answer") ? [breaks(`answers no longer have ${before.jsonName}`)] : []),
  ];
  return gravest(found, safe("a path, and a body that is one field, have its value, not its name"));
}

/** Raw bytes with a content type of their own, instead of JSON. */
const httpBody = "google.api.HttpBody";

type BodyOf = typeof requestHttpBody;

/** Whether the body of an operation's requests or answers is raw bytes. */
function isRaw(operation: Operation, bodyOf: BodyOf): boolean {
  return operation.bindings.every((binding) => bodyOf(operation, binding) !== undefined);
}

/** Whether some operation has another form of requests or answers. */
function haveOther({ before, after }: ComparedContracts, form: (operation: Operation) => boolean): boolean {
  return operationPairs(before, after).some(([older, newer]) => form(older) !== form(newer));
}

function ofTypeMoved(change: TypeMoved, contracts: ComparedContracts): Judgement {
  const names = [change.before.typeName, change.after.typeName];
  const bodies = [requestHttpBody, answerHttpBody];
  if (
    names.includes(httpBody) &&
    bodies.some((bodyOf) => haveOther(contracts, (operation) => isRaw(operation, bodyOf)))
  )
    return breaks("raw bytes and JSON are read in different ways");
  const isReceivedAlone = isReceived(change.locations) && names.includes("google.protobuf.Empty");
  if (isReceivedAlone && haveOther(contracts, answersNothing)) return breaks("204 without a body, and 200 with JSON");
  return inJson["type-moved"](change);
}

function ofStreaming({ before, after }: OperationChange): Judgement {
  const isKept = (isStream: typeof streamsRequests, bodyOf: BodyOf): boolean =>
    isStream(before) === isStream(after) || (isRaw(before, bodyOf) && isRaw(after, bodyOf));
  return isKept(streamsRequests, requestHttpBody) && isKept(streamsAnswers, answerHttpBody)
    ? safe("the body is the same bytes in one piece or in several")
    : breaks("one JSON object in the body became several, or several became one");
}

function ofCardinality(change: FieldChange): Judgement {
  const { before, after, locations } = change;
  const isMore = before.fieldKind !== "list" && before.fieldKind !== "map" && after.fieldKind === "list";
  const onlyQuery = [...locations].every((location) => location === "query");
  const ofAnyJson = judgeAnyJson(change);
  if (ofAnyJson !== undefined) return ofAnyJson;
  if (onlyQuery && before.message === undefined && after.fieldKind === "scalar")
    return mayBreak("INVALID_ARGUMENT for a list of several values");
  return isMore && onlyQuery && before.message === undefined
    ? safe("one value in a query is a list of one")
    : breaks("in JSON, several values are an array and one value is not");
}

/** Judges another type of a field, which a URL may not have. */
function inUrl(change: FieldChange, judgement: Judgement): Judgement {
  const { locations, after } = change;
  return (locations.has("query") || locations.has("path")) && isBeyondUrls(after)
    ? breaks("no URL can have its new type")
    : judgement;
}

const judge = judgeBy({
  ...inEveryStyle,
  ...inJson,
  "operation-removed": ({ operation }, contracts) => judgeRemoved(operation, contracts),
  "operation-moved": safe("only its path matters, and a changed path is a change of its own"),
  "streaming-changed": ofStreaming,
  "type-moved": ofTypeMoved,
  "operation-added": ({ operation }, contracts) => judgeNewRoutes(operation, contracts),
  "side-effects-changed": safe("its binding decides the HTTP method"),
  "binding-added": ({ operation }, contracts) => judgeNewRoutes(operation, contracts),
  "binding-removed": ({ binding }, contracts) => judgeRoute(binding, contracts),
  "binding-changed": ({ binding }, contracts) => judgeRoute(binding, contracts),
  "field-removed": ({ field, locations }) =>
    isNamedIn(locations)
      ? breaks(`INVALID_ARGUMENT: unknown field ${field.jsonName}`)
      : mayBreak("calls succeed without it"),
  "field-renamed": ofRenamed,
  "field-type-changed": (change) => inUrl(change, judgeJsonType(change)),
  "field-cardinality-changed": (change) => inUrl(change, ofCardinality(change)),
});

/** Judges a change where it travels. */
function judgeMapped(...[change, contracts]: Parameters<BreakingChanges["judge"]>): Judgement {
  if (!("locations" in change)) return judge(change, contracts);
  const mapped = new Set([...change.locations].filter((location) => !location.startsWith("unmapped")));
  if (mapped.size === 0 && change.locations.size > 0) return safe("no URL or body has it");
  return judge({ ...change, locations: mapped }, contracts);
}

export const breakingChanges: BreakingChanges = {
  notCarried: ["bidi_streaming"],
  judge: judgeMapped,
  leftOver: () => [],
};
