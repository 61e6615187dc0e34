// How styles write values in JSON: exactly as ProtoJSON, with GraphQL's scalars where they exist.
import type { RuleTopic } from "./rule.ts";

const binary = "binary";

/** The rules for values. */
export const valueRules: RuleTopic = {
  title: "Values",
  areas: ["values"],
  rules: [
    {
      about: "Numbers",
      rule: 'a JSON number, or a string with one: `1e3` and `"1000.0"` are the integer 1000; `"0x10"`, `" 5"`, `"+1"`, `"01"` and values outside the type, such as `1.00000000000000000001` for an integer, are INVALID_ARGUMENT',
      grpc: binary,
      rest: "in body, path and query; 64-bit integers are exact as numbers too; in a body type without 64-bit integers, numbers have the precision of a double",
      graphql: "`Int64`, `UInt64`, `UInt32` and `Double`; GraphQL's own `Int` is never a string",
    },
    {
      about: "Bytes",
      rule: "base64 in either alphabet, with full padding or none, without other characters",
      grpc: binary,
      rest: "text",
      graphql: "`Base64`",
    },
    {
      about: "Times",
      rule: "RFC 3339 with `T`, and `Z` or an offset, from the year 1 to 9999, with at most nine fractional digits, an existing day and hour",
      grpc: binary,
      rest: "text",
      graphql: "`DateTime`",
    },
    {
      about: "Durations",
      rule: "seconds, such as `-1.5s`, with at most nine fractional digits, within ±315,576,000,000",
      grpc: binary,
      rest: "text",
      graphql: "`Duration`",
    },
    {
      about: "Any JSON",
      rule: "`Struct`, `Value` and `ListValue` have numbers with the precision of a double, and no half of a surrogate pair",
      grpc: binary,
      rest: "unchanged",
      graphql: "`JSON`",
    },
    {
      about: "Null and duplicates",
      rule: "null means absent, except for a `Value`; null in lists and maps, two names of one field, two members of a oneof and unknown fields are refused",
      grpc: "the last one counts, and unknown fields are kept",
      rest: "of equal names the last one counts",
      graphql:
        "of equal names in variables the last one counts; in the document they are refused; null in a list of enums is the unspecified value",
    },
    {
      about: "Not expressible in JSON",
      rule: "a time or duration outside these bounds; a mask path that is empty, has a comma or no lowerCamelCase spelling; an `Any` of an unknown type, or with bytes and no type; a `Value` with a number that JSON does not have",
      grpc: "passed on unchecked",
      rest: "INVALID_ARGUMENT from a client, INTERNAL from a handler",
      graphql: "the same; mask paths are passed on",
    },
  ],
};
