// What a style cannot carry by its nature, with the reason. A sample beyond a limit is asked all the same; what comes of it is compared
// as far as the limit leaves it.
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Any, Value } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";
import { getOption, hasOption } from "@bufbuild/protobuf";
import { field as rulesOption } from "@roundtrip/contract/gen/buf/validate/validate_pb";
import type { Sample } from "./sample.ts";
import { pathImplies, pathRefuses, queryLoses } from "./url-limits.ts";
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
  return ({ operation, request, reply }) => {
    for (const found of valuesIn(operation.input, request)) if (isBeyond(found)) return true;
    if (reply instanceof CallError) return false;
    for (const found of valuesIn(operation.output, reply)) if (isBeyond(found)) return true;
    return false;
  };
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
function lacksRequired({ operation: { input }, request }: Sample): boolean {
  const reflected = reflect(input, request);
  return input.fields.some(
    (field) => hasOption(field, rulesOption) && getOption(field, rulesOption).required && !reflected.isSet(field),
  );
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
    reason: "response_body sends one field of the answer and no other",
    compared: "nothing",
    appliesTo({ operation, reply }) {
      const { responseBody } = operation.bindings[0];
      if (responseBody === "" || reply instanceof CallError) return false;
      const answer = reflect(operation.output, reply);
      return operation.output.fields.some((field) => field.name !== responseBody && answer.isSet(field));
    },
  },
];
