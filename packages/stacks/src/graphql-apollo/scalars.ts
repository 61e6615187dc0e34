// The scalars that GraphQL lacks. On the wire each is what its leaf writes; a value that is none is refused before a resolver runs.
import { ScalarType } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { createRegistry, type DescMessage } from "@bufbuild/protobuf";
import { GraphQLBoolean, GraphQLInt, GraphQLScalarType, GraphQLString } from "graphql";
import { messageLeaf, scalarLeaf, type Leaf } from "./leaf.ts";

function ofMessage(message: DescMessage): Leaf | undefined {
  return messageLeaf(message, true, createRegistry(message));
}

function scalar(name: string, description: string, leaf: Leaf | undefined, specifiedByURL?: string): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    description,
    specifiedByURL: specifiedByURL ?? null,
    serialize: (value) => value,
    parseValue(json) {
      // Checked here so that the error names the variable; decoded where the request is made.
      leaf?.decode(json);
      return json;
    },
  });
}

/** All scalars by name, GraphQL's own among them. */
export function scalarTypes(): ReadonlyMap<string, GraphQLScalarType> {
  const types = [
    GraphQLInt,
    GraphQLString,
    GraphQLBoolean,
    scalar("Int64", "A 64-bit integer as decimal text: exact in every client.", scalarLeaf(ScalarType.INT64, false)),
    scalar("UInt64", "An unsigned 64-bit integer as decimal text.", scalarLeaf(ScalarType.UINT64, false)),
    scalar("UInt32", "An integer from 0 to 4294967295.", scalarLeaf(ScalarType.UINT32, false)),
    scalar(
      "Double",
      'A number of double precision, minus zero included; "NaN", "Infinity" and "-Infinity", for which JSON has no number, are text.',
      scalarLeaf(ScalarType.DOUBLE, false),
      "https://protobuf.dev/programming-guides/json/",
    ),
    scalar("Base64", "Bytes in base64.", scalarLeaf(ScalarType.BYTES, false), "https://www.rfc-editor.org/rfc/rfc4648"),
    scalar(
      "DateTime",
      "A point in time, for example `2026-01-31T12:00:00Z`.",
      ofMessage(TimestampSchema),
      "https://www.rfc-editor.org/rfc/rfc3339",
    ),
    scalar("Duration", "A length of time in seconds, for example `1.5s`.", ofMessage(DurationSchema)),
    scalar("JSON", "Any JSON value.", undefined),
  ];
  return new Map(types.map((type) => [type.name, type]));
}
