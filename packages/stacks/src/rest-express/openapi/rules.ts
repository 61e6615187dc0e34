// The contract's validation rules (buf.validate) as keywords of JSON Schema.
import { getOption, hasOption, ScalarType, type DescField } from "@bufbuild/protobuf";
import { field as fieldRules, type FieldRules } from "@roundtrip/contract/gen/buf/validate/validate_pb";
import type { JsonSchema } from "./json-schema.ts";

function rulesOf(field: DescField): FieldRules | undefined {
  return hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined;
}

type Bounds = Extract<FieldRules["type"], { case: "int32" | "int64" }>["value"];

function boundsOf({ greaterThan, lessThan }: Bounds): JsonSchema {
  return {
    ...(greaterThan.case === "gt" ? { exclusiveMinimum: Number(greaterThan.value) } : {}),
    ...(greaterThan.case === "gte" ? { minimum: Number(greaterThan.value) } : {}),
    ...(lessThan.case === "lt" ? { exclusiveMaximum: Number(lessThan.value) } : {}),
    ...(lessThan.case === "lte" ? { maximum: Number(lessThan.value) } : {}),
  };
}

/** The keywords that hold for a field's value; for a list, those of the list itself. */
export function keywordsOf(field: DescField): JsonSchema {
  const rules = rulesOf(field)?.type;
  switch (rules?.case) {
    case "string": {
      const { minLen, maxLen, len, pattern } = rules.value;
      const shortest = len > 0n ? len : minLen;
      const longest = len > 0n ? len : maxLen;
      return {
        ...(shortest > 0n ? { minLength: Number(shortest) } : {}),
        ...(longest > 0n ? { maxLength: Number(longest) } : {}),
        ...(pattern === "" ? {} : { pattern }),
      };
    }
    case "int32":
      return boundsOf(rules.value);
    case "repeated": {
      const { minItems, maxItems } = rules.value;
      return {
        ...(minItems > 0n ? { minItems: Number(minItems) } : {}),
        ...(maxItems > 0n ? { maxItems: Number(maxItems) } : {}),
      };
    }
    // A 64-bit integer is a string in JSON, which no numeric keyword holds for.
    case "int64":
    case undefined:
      return {};
  }
}

/** Whether the rules ask for the field. */
export function isRequired(field: DescField): boolean {
  return rulesOf(field)?.required === true;
}

/** Whether a request without the field is refused: what is left out counts as zero, as nothing, and rules may refuse that. */
export function mustBeSent(field: DescField): boolean {
  if (isRequired(field)) return true;
  const { minLength, minItems, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = keywordsOf(field);
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) return Number(minLength ?? 0) > 0;
  if (field.fieldKind === "list") return Number(minItems ?? 0) > 0;
  return (
    Number(minimum ?? 0) > 0 ||
    Number(exclusiveMinimum ?? -1) >= 0 ||
    Number(maximum ?? 0) < 0 ||
    Number(exclusiveMaximum ?? 1) <= 0
  );
}
