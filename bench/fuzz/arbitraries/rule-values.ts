// Values for fields with rules in the contract (buf.validate). Most of them satisfy the rules, which random values almost never do.
import { getOption, hasOption, type DescField } from "@bufbuild/protobuf";
import { field as rulesOption } from "@roundtrip/contract/gen/buf/validate/validate_pb";
import * as fc from "fast-check";
import { scalarValue } from "./scalar-values.ts";

/** Undefined if the field has no rules for numbers or text. */
export function ruleValues(field: DescField): fc.Arbitrary<unknown> | undefined {
  if (field.fieldKind !== "scalar" || !hasOption(field, rulesOption)) return undefined;
  const { type } = getOption(field, rulesOption);
  const any = { weight: 1, arbitrary: scalarValue(field.scalar) };
  switch (type.case) {
    case "int32": {
      const { greaterThan, lessThan } = type.value;
      const low = greaterThan.case === undefined ? -(2 ** 31) : greaterThan.value + (greaterThan.case === "gt" ? 1 : 0);
      const high = lessThan.case === undefined ? 2 ** 31 - 1 : lessThan.value - (lessThan.case === "lt" ? 1 : 0);
      return fc.oneof({ weight: 9, arbitrary: fc.integer({ min: low, max: high }) }, any);
    }
    case "string": {
      const { pattern } = type.value;
      if (pattern === "") return undefined;
      return fc.oneof({ weight: 9, arbitrary: fc.stringMatching(new RegExp(pattern, "u")) }, any);
    }
    default:
      return undefined;
  }
}
