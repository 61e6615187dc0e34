// How values are spelled where a style writes them in JSON: ProtoJSON to the letter, and what GraphQL has words of its own for.
import type { RuleTopic } from "./rule.ts";

const binary = "binary";

/** The rules on values. */
export const valueRules: RuleTopic = {
  title: "Values",
  areas: ["values"],
  rules: [
    {
      about: "Numbers",
      rule: 'a number of JSON, or text that is one: `1e3` and `"1000.0"` are the integer 1000; `"0x10"`, `" 5"`, `"+1"`, `"01"` and what the type does not hold, as `1.00000000000000000001` for an integer, are INVALID_ARGUMENT',
      grpc: binary,
      rest: "in body, path and query; 64-bit integers are exact as numbers too; a body without any 64-bit integer in its type has the numbers of a double",
      graphql: "so for `Int64`, `UInt64`, `UInt32` and `Double`; `Int` is GraphQL's own, and never text",
    },
    {
      about: "Bytes",
      rule: "base64 in either alphabet, with all of its padding or none, and nothing else in it",
      grpc: binary,
      rest: "text",
      graphql: "`Base64`",
    },
    {
      about: "Times",
      rule: "RFC 3339 with `T`, and `Z` or an offset, from the year 1 to 9999, at most nine digits of a second, on a day and at an hour that there are",
      grpc: binary,
      rest: "text",
      graphql: "`DateTime`",
    },
    {
      about: "Durations",
      rule: "seconds as `-1.5s`, at most nine digits behind the point, within ±315,576,000,000",
      grpc: binary,
      rest: "text",
      graphql: "`Duration`",
    },
    {
      about: "Any JSON",
      rule: "`Struct`, `Value` and `ListValue` hold the numbers that a double does, and no half of a surrogate pair",
      grpc: binary,
      rest: "as it is",
      graphql: "`JSON`",
    },
    {
      about: "Null, and twice",
      rule: "null is nothing given, except for a `Value`; in lists and maps it is refused, as are two names of one field, two members of a oneof and unknown fields",
      grpc: "the last counts, and unknown fields are kept",
      rest: "of equal names the last counts",
      graphql:
        "of equal names in variables the last counts; in the document they are refused; in a list of an enum null is its unspecified value",
    },
    {
      about: "Beyond JSON",
      rule: "a time or a duration outside of these bounds, a path of a mask that has no spelling in lowerCamelCase, is empty or has a comma, an `Any` of a type that the contract does not have or with bytes and no type, a `Value` that is no number of JSON",
      grpc: "kept: bytes that nobody looks at",
      rest: "INVALID_ARGUMENT from a client, INTERNAL from a handler",
      graphql: "so too; paths of masks are kept",
    },
  ],
};
