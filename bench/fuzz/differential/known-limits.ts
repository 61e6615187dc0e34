// What a style cannot carry by its nature, with the reason. A sample beyond a limit is asked all the same; what comes of it is compared
// as far as the limit leaves it.
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Any, Value } from "@bufbuild/protobuf/wkt";
import { getOption, hasOption } from "@bufbuild/protobuf";
import { field as rulesOption } from "@roundtrip/contract/gen/buf/validate/validate_pb";
import type { Sample } from "./sample.ts";
import { isForSeveralPlaces, pathImplies, pathRefuses, queryLoses } from "./url-limits.ts";
import { valuesIn, type ValueIn } from "./values-in.ts";

export interface KnownLimit {
  readonly stackName: string;
  /** For people. */
  readonly reason: string;
  /** What the style still has to get right. */
  readonly compared: "code" | "nothing";
  readonly appliesTo: (sample: Sample) => boolean;
}

/** True when a value of the request or the answer is one that the style cannot carry. */
function anywhere(isBeyond: (found: ValueIn) => boolean): KnownLimit["appliesTo"] {
  return ({ operation: { input, output }, requests, reply }) =>
    requests.some((request) => [...valuesIn(input, request)].some(isBeyond)) ||
    reply.answers.some((answer) => [...valuesIn(output, answer)].some(isBeyond));
}

/** −0 as a float or a double ends in these bytes. What else does is spared for nothing, which happens seldom. */
const negativeZero = Buffer.from([0, 0, 0, 0x80]);

function packsNegativeZero({ field, value }: ValueIn): boolean {
  if (field.message?.typeName !== "google.protobuf.Any") return false;
  return Buffer.from(((value as ReflectMessage).message as Any).value).includes(negativeZero);
}

function isNullValue({ field, value }: ValueIn): boolean {
  if (field.message?.typeName !== "google.protobuf.Value" || field.parent.typeName.startsWith("google.protobuf."))
    return false;
  return ((value as ReflectMessage).message as Value).kind.case === "nullValue";
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
    stackName: "graphql-apollo",
    reason: "an enum has the values of its schema and no others",
    compared: "nothing",
    appliesTo: anywhere(
      ({ field, value }) => field.enum !== undefined && field.enum.value[value as number] === undefined,
    ),
  },
  {
    stackName: "graphql-apollo",
    reason: "what an Any packs travels as JSON that is not ours to write: zero loses its sign",
    compared: "nothing",
    appliesTo: anywhere(packsNegativeZero),
  },
  {
    stackName: "graphql-apollo",
    reason: "a JSON null is what an absent value is too",
    compared: "nothing",
    appliesTo: anywhere(isNullValue),
  },
  {
    stackName: "graphql-apollo",
    reason: "a required field is part of the schema, whose own check speaks before the contract's rules do",
    compared: "code",
    appliesTo: lacksRequired,
  },
  {
    stackName: "rest-express",
    reason: "a path has no place for empty text, nor for text that is no path of its template",
    compared: "nothing",
    appliesTo: pathRefuses,
  },
  {
    stackName: "rest-express",
    reason: "a path variable inside a message brings the message along",
    compared: "nothing",
    appliesTo: pathImplies,
  },
  {
    stackName: "rest-express",
    reason: "google.api.http has no way to write maps, lists of messages and empty messages into a query",
    compared: "nothing",
    appliesTo: queryLoses,
  },
  {
    stackName: "rest-express",
    reason: "the requests of one stream are the body of one HTTP request, which is for one place",
    compared: "nothing",
    appliesTo: isForSeveralPlaces,
  },
  {
    stackName: "rest-express",
    reason: "response_body sends one field of the answer and no other",
    compared: "nothing",
    appliesTo({ operation, reply }) {
      const { responseBody } = operation.bindings[0];
      if (responseBody === "") return false;
      const others = operation.output.fields.filter(({ name }) => name !== responseBody);
      return reply.answers.some((answer) => others.some((field) => reflect(operation.output, answer).isSet(field)));
    },
  },
];
