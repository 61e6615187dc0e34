// How styles write values in JSON: exactly as ProtoJSON, with a style's own scalars where they exist.
import type { RuleTopic } from "./rule.ts";

/** The rules for values. */
export const valueRules = {
  title: "Values",
  areas: ["values"],
  rules: [
    {
      about: "Numbers",
      rule: 'a JSON number, or a string with one: `1e3` and `"1000.0"` are the integer 1000; `"0x10"`, `" 5"`, `"+1"`, `"01"` and values outside the type, such as `1.00000000000000000001` for an integer, are INVALID_ARGUMENT',
    },
    {
      about: "Bytes",
      rule: "base64 in either alphabet, with full padding or none, without other characters",
    },
    {
      about: "Times",
      rule: "RFC 3339 with `T`, and `Z` or an offset, from the year 1 to 9999, with at most nine fractional digits, an existing day and hour",
    },
    {
      about: "Durations",
      rule: "seconds, such as `-1.5s`, with at most nine fractional digits, within ±315,576,000,000",
    },
    {
      about: "Any JSON",
      rule: "`Struct`, `Value` and `ListValue` have numbers with the precision of a double, and no half of a surrogate pair",
    },
    {
      about: "Null and duplicates",
      rule: "null means absent, except for a `Value`; null in lists and maps, two names of one field, two members of a oneof and unknown fields are refused",
    },
    {
      about: "Not expressible in JSON",
      rule: "a time or duration outside these bounds; a mask path that is empty, has a comma or no lowerCamelCase spelling; an `Any` of an unknown type, or with bytes and no type; a `Value` with a number that JSON does not have",
    },
  ],
} as const satisfies RuleTopic;
