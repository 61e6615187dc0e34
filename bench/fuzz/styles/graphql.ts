// GraphQL: documents that would cost a server far more than their size, and values that a schema and a document cannot carry.
import { getOption, hasOption } from "@bufbuild/protobuf";
import {
  isReflectList,
  isReflectMap,
  isReflectMessage,
  reflect,
  type ReflectMessage,
} from "@bufbuild/protobuf/reflect";
import type { Value } from "@bufbuild/protobuf/wkt";
import type { Contract } from "@roundtrip/contract";
import { field as rulesOption } from "@roundtrip/contract/gen/buf/validate/validate_pb";
import { asksForAllOf, corrupted, graphqlClient, rawAnswer } from "@roundtrip/styles/fuzzing";
import {
  anywhere,
  httpAnswerFaults,
  notFiniteInAnyJson,
  undeclaredEnumValue,
  type CallMessages,
  type FuzzedStyle,
  type KnownLimit,
  type StyleAttack,
  type ValueIn,
} from "../fuzzed-style.ts";

/** A status other than 200 means that the answer has no data: no operation was called. graphql-js refuses some documents itself. */
function refuses(name: string, query: string): StyleAttack {
  const body = Buffer.from(JSON.stringify({ query }));
  return {
    name,
    send: corrupted(graphqlClient, () => ({ body })),
    answers: [rawAnswer(400, "RESOURCE_EXHAUSTED"), rawAnswer(400, "INVALID_ARGUMENT")],
  };
}

function times(count: number, textAt: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => textAt(at)).join(" ");
}

const attacks: readonly StyleAttack[] = [
  refuses("a document with ten thousand aliases is refused", `{ ${times(10_000, (at) => `a${at}: __typename`)} }`),
  refuses(
    "a document that calls one operation thousands of times is refused, and none of the calls is made",
    `{ ${times(3_300, (at) => `c${at}: look(text: "x") { request { text } }`)} }`,
  ),
  refuses(
    "a list that is asked for under hundreds of names is refused",
    `{ look(text: "x") { request { ...names } } } fragment names on LookRequest { ${times(500, (at) => `a${at}: text`)} }`,
  ),
  refuses(
    "fragments that hold each other thousandfold are refused",
    `{ ...f0 } ${times(20, (at) => `fragment f${at} on Query { ${`...f${at + 1} `.repeat(10)} }`)} fragment f20 on Query { __typename }`,
  ),
  refuses(
    "a document that nests lists without end is refused",
    `{ look(texts: ${"[".repeat(8_000)}${"]".repeat(8_000)}) { request { text } } }`,
  ),
];

/** Null is a value in lists and maps. As a oneof member, answers can have it and requests cannot. */
function isNullValue(isInRequest: boolean): (found: ValueIn) => boolean {
  return ({ field, value }) => {
    if (field.fieldKind !== "message" || field.message.typeName !== "google.protobuf.Value") return false;
    if (field.parent.typeName.startsWith("google.protobuf.") || (field.oneof !== undefined && !isInRequest))
      return false;
    return ((value as ReflectMessage).message as Value).kind.case === "nullValue";
  };
}

/** A document names each level of a recursive type, so a client selects only a limited depth. */
function isDeeperThanAsked({ operation, requests: [request], reply }: CallMessages, contract: Contract): boolean {
  return request !== undefined && reply.answers.some((answer) => !asksForAllOf(contract, operation, request, answer));
}

function lacksRequiredInside(message: ReflectMessage): boolean {
  return message.fields.some((field) => {
    if (!message.isSet(field)) return hasOption(field, rulesOption) && getOption(field, rulesOption).required;
    if (field.message === undefined) return false;
    const value: unknown = message.get(field);
    const inside = isReflectList(value) || isReflectMap(value) ? [...value.values()] : [value];
    return inside.some((inner) => isReflectMessage(inner) && lacksRequiredInside(inner));
  });
}

function lacksRequired({ operation: { input }, requests }: CallMessages): boolean {
  return requests.some((request) => lacksRequiredInside(reflect(input, request)));
}

const knownLimits: readonly KnownLimit[] = [
  undeclaredEnumValue("an enum has only the values in its schema"),
  {
    reason: "JSON null also means an absent value",
    compared: "nothing",
    appliesTo: anywhere(isNullValue(true), isNullValue(false)),
  },
  notFiniteInAnyJson,
  {
    reason: "a required field is part of the schema, which is checked before the contract's rules",
    compared: "code",
    appliesTo: lacksRequired,
  },
  {
    reason: "a document must name every level of a recursive type, so the depth is limited",
    compared: "nothing",
    appliesTo: isDeeperThanAsked,
  },
];

export const fuzzed: FuzzedStyle = { notation: "json", attacks, answerFaults: httpAnswerFaults, knownLimits };
