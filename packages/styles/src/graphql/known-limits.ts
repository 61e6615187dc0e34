// Values that a GraphQL schema and document cannot carry.
import { getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Value } from "@bufbuild/protobuf/wkt";
import type { Contract } from "@roundtrip/contract";
import { field as rulesOption } from "@roundtrip/contract/gen/buf/validate/validate_pb";
import type { CallMessages, KnownLimits } from "../basics/known-limits.ts";
import { anywhere, notFiniteInAnyJson, type ValueIn } from "../shared/values-in.ts";
import { asksForAllOf } from "./documents/asked-depth.ts";

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

function lacksRequired({ operation: { input }, requests }: CallMessages): boolean {
  const required = input.fields.filter(
    (field) => hasOption(field, rulesOption) && getOption(field, rulesOption).required,
  );
  return requests.some((request) => required.some((field) => !reflect(input, request).isSet(field)));
}

const signed32Bit: ReadonlySet<ScalarType | undefined> = new Set([
  ScalarType.INT32,
  ScalarType.SINT32,
  ScalarType.SFIXED32,
]);

export const knownLimits: KnownLimits = {
  calls: [
    {
      reason: "an enum has only the values in its schema",
      compared: "nothing",
      appliesTo: anywhere(
        ({ field, value }) => field.enum !== undefined && field.enum.value[value as number] === undefined,
      ),
    },
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
  ],
  spellings: [
    {
      reason: "GraphQL's Int is a number, never text",
      appliesTo: ({ scalar }, isText) => isText && signed32Bit.has(scalar),
    },
  ],
};
