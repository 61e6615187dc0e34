// The scalars that GraphQL lacks. Each value has the form of its leaf; others are refused before a resolver runs.
import { createRegistry, ScalarType, type DescMessage } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { GraphQLBoolean, GraphQLInt, GraphQLScalarType, GraphQLString, Kind, valueFromASTUntyped } from "graphql";
import { anyJson as readAnyJson } from "../../shared/proto-json/message-from-json.ts";
import { messageLeaf, scalarLeaf } from "./leaf.ts";

type Decode = (json: unknown) => unknown;
type ValueOf = typeof valueFromASTUntyped;

/** Keeps all digits of numbers in a document; {@link Decode} handles other values. */
const digitsIn: ValueOf = (node, variables) =>
  node.kind === Kind.INT || node.kind === Kind.FLOAT ? node.value : valueFromASTUntyped(node, variables);

interface Scalar {
  readonly name: string;
  readonly description: string;
  readonly decode: Decode;
  readonly specifiedByURL: string | null;
}

function scalar(about: Scalar, valueOf: ValueOf = valueFromASTUntyped): GraphQLScalarType {
  // Checked here so that the error names the variable; decoded with the request.
  const checked: Decode = (json) => {
    about.decode(json);
    return json;
  };
  return new GraphQLScalarType({
    name: about.name,
    description: about.description,
    specifiedByURL: about.specifiedByURL,
    serialize: (value) => value,
    parseValue: checked,
    parseLiteral: (node, variables) => checked(valueOf(node, variables)),
  });
}

function numberScalar(type: ScalarType, description: string, specifiedByURL: string | null = null): GraphQLScalarType {
  const { type: name, decode } = scalarLeaf(type, false);
  return scalar({ name, description, decode, specifiedByURL }, digitsIn);
}

function messageScalar(message: DescMessage, description: string, specifiedByURL: string | null): GraphQLScalarType {
  const leaf = messageLeaf(message, true, createRegistry(message));
  if (leaf === undefined) throw new Error(`${message.typeName} is no scalar`);
  return scalar({ name: leaf.type, description, decode: leaf.decode, specifiedByURL });
}

const base64: Scalar = {
  name: "Base64",
  description: "Bytes in base64.",
  decode: scalarLeaf(ScalarType.BYTES, false).decode,
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc4648",
};

const anyJson: Scalar = {
  name: "JSON",
  description: "Any JSON value.",
  decode: (json) => readAnyJson(json),
  specifiedByURL: null,
};

const doubleWords =
  'A number of double precision, minus zero included; "NaN", "Infinity" and "-Infinity", for which JSON has no number, are text.';

/** All scalars by name, GraphQL's own included. */
export function scalarTypes(): ReadonlyMap<string, GraphQLScalarType> {
  const types = [
    GraphQLInt,
    GraphQLString,
    GraphQLBoolean,
    numberScalar(ScalarType.INT64, "A 64-bit integer as decimal text: exact in every client."),
    numberScalar(ScalarType.UINT64, "An unsigned 64-bit integer as decimal text."),
    numberScalar(ScalarType.UINT32, "An integer from 0 to 4294967295."),
    numberScalar(ScalarType.DOUBLE, doubleWords, "https://protobuf.dev/programming-guides/json/"),
    scalar(base64),
    messageScalar(
      TimestampSchema,
      "A point in time, for example `2026-01-31T12:00:00Z`.",
      "https://www.rfc-editor.org/rfc/rfc3339",
    ),
    messageScalar(DurationSchema, "A length of time in seconds, for example `1.5s`.", null),
    scalar(anyJson),
  ];
  return new Map(types.map((type) => [type.name, type]));
}
