// What a style cannot carry by its nature, with the reason. A sample beyond a limit is asked all the same; what comes of it is compared
// as far as the limit leaves it. Of what has no word in JSON ("Beyond JSON" in docs/rules.md) only numbers that are not finite are here:
// the rest is not drawn, which is times and durations out of bounds, odd paths of masks, and an Any of a foreign type or of none with bytes.
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Value } from "@bufbuild/protobuf/wkt";
import { getOption, hasOption } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { field as rulesOption } from "@roundtrip/contract/gen/buf/validate/validate_pb";
import { asksForAllOf } from "@roundtrip/styles/graphql/parts";
import { answerHasMore, bodyIsNoValue, bytesAreJoined } from "./body-limits.ts";
import type { Sample } from "./sample.ts";
import { isForSeveralPlaces, pathImplies, pathRefuses, queryLoses } from "./url-limits.ts";
import { valuesIn, type ValueIn } from "./values-in.ts";

export interface KnownLimit {
  readonly style: string;
  /** For people. */
  readonly reason: string;
  /** What the style does carry. */
  readonly compared: "code" | "nothing";
  readonly appliesTo: (sample: Sample, contract: Contract) => boolean;
}

/** True when a value of the request or the answer is one that the style cannot carry. */
function anywhere(
  inRequest: (found: ValueIn) => boolean,
  inAnswer: (found: ValueIn) => boolean = inRequest,
): KnownLimit["appliesTo"] {
  return ({ operation: { input, output }, requests, reply }) =>
    requests.some((request) => [...valuesIn(input, request)].some(inRequest)) ||
    reply.answers.some((answer) => [...valuesIn(output, answer)].some(inAnswer));
}

/** Null is a value in lists and maps; as a member of a oneof answers have it, and requests do not. */
function isNullValue(isInRequest: boolean): (found: ValueIn) => boolean {
  return ({ field, value }) => {
    if (field.fieldKind !== "message" || field.message.typeName !== "google.protobuf.Value") return false;
    if (field.parent.typeName.startsWith("google.protobuf.") || (field.oneof !== undefined && !isInRequest))
      return false;
    return ((value as ReflectMessage).message as Value).kind.case === "nullValue";
  };
}

/** A number of any JSON that is no number of JSON. */
function isNoJsonNumber({ field, value }: ValueIn): boolean {
  return field.parent.typeName === "google.protobuf.Value" && field.name === "number_value" && !Number.isFinite(value);
}

/** A document names each level of a type that holds itself, and a client names as many as fit into it. */
function isDeeperThanAsked({ operation, requests: [request], reply }: Sample, contract: Contract): boolean {
  return request !== undefined && reply.answers.some((answer) => !asksForAllOf(contract, operation, request, answer));
}

/** A field that a rule asks for is not there. */
function lacksRequired({ operation: { input }, requests }: Sample): boolean {
  const required = input.fields.filter(
    (field) => hasOption(field, rulesOption) && getOption(field, rulesOption).required,
  );
  return requests.some((request) => required.some((field) => !reflect(input, request).isSet(field)));
}

export const knownLimits: readonly KnownLimit[] = [
  {
    style: "graphql",
    reason: "an enum has the values of its schema and no others",
    compared: "nothing",
    appliesTo: anywhere(
      ({ field, value }) => field.enum !== undefined && field.enum.value[value as number] === undefined,
    ),
  },
  {
    style: "graphql",
    reason: "a JSON null is what an absent value is too",
    compared: "nothing",
    appliesTo: anywhere(isNullValue(true), isNullValue(false)),
  },
  ...["rest", "graphql"].map((style): KnownLimit => ({
    style,
    reason: "a google.protobuf.Value is a number of JSON, which has none that is not finite",
    compared: "nothing",
    appliesTo: anywhere(isNoJsonNumber),
  })),
  {
    style: "graphql",
    reason: "a required field is part of the schema, whose own check speaks before the contract's rules do",
    compared: "code",
    appliesTo: lacksRequired,
  },
  {
    style: "graphql",
    reason: "a document names every level of a type that holds itself, and has an end",
    compared: "nothing",
    appliesTo: isDeeperThanAsked,
  },
  {
    style: "rest",
    reason: "a path has no place for empty text, nor for text that is no path of its template",
    compared: "nothing",
    appliesTo: pathRefuses,
  },
  {
    style: "rest",
    reason: "a path variable inside a message brings the message along",
    compared: "nothing",
    appliesTo: pathImplies,
  },
  {
    style: "rest",
    reason: "google.api.http has no way to write maps, lists of messages and empty messages into a query",
    compared: "nothing",
    appliesTo: queryLoses,
  },
  {
    style: "rest",
    reason: "the requests of one stream are the body of one HTTP request, which is for one place",
    compared: "nothing",
    appliesTo: isForSeveralPlaces,
  },
  {
    style: "rest",
    reason: "a body of JSON null is what an absent value is too",
    compared: "nothing",
    appliesTo: bodyIsNoValue,
  },
  {
    style: "rest",
    reason: "response_body sends one field of the answer and no other",
    compared: "nothing",
    appliesTo: answerHasMore,
  },
  {
    style: "rest",
    reason: "a stream with a bytes body joins its messages: boundaries of messages and a late error are lost",
    compared: "nothing",
    appliesTo: bytesAreJoined,
  },
];
