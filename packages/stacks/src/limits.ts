// What the contract's validation rules (buf.validate) allow a value to be, as plain figures: documents of every style tell them.
import { getOption, hasOption, type DescField } from "@bufbuild/protobuf";
import { field as fieldRules, type FieldRules } from "@roundtrip/contract/gen/buf/validate/validate_pb";

/** Figures that hold; lengths are in characters. The names are JSON Schema's. */
export type Limits = Readonly<
  Partial<
    Record<
      | "minLength"
      | "maxLength"
      | "minItems"
      | "maxItems"
      | "minimum"
      | "maximum"
      | "exclusiveMinimum"
      | "exclusiveMaximum",
      number
    > & { readonly pattern: string }
  >
>;

function rulesOf(field: DescField): FieldRules | undefined {
  return hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined;
}

type Bounds = Extract<FieldRules["type"], { case: "int32" | "int64" }>["value"];

function boundsOf({ greaterThan, lessThan }: Bounds): Limits {
  return {
    ...(greaterThan.case === "gt" ? { exclusiveMinimum: Number(greaterThan.value) } : {}),
    ...(greaterThan.case === "gte" ? { minimum: Number(greaterThan.value) } : {}),
    ...(lessThan.case === "lt" ? { exclusiveMaximum: Number(lessThan.value) } : {}),
    ...(lessThan.case === "lte" ? { maximum: Number(lessThan.value) } : {}),
  };
}

/** The limits of a field's value; for a list, those of the list itself. */
export function limitsOf(field: DescField): Limits {
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
    case "bytes": {
      // Where these figures are told, bytes are Base64, with or without padding.
      const { minLen, maxLen } = rules.value;
      return {
        ...(minLen > 0n ? { minLength: Math.ceil((Number(minLen) * 4) / 3) } : {}),
        ...(maxLen > 0n ? { maxLength: 4 * Math.ceil(Number(maxLen) / 3) } : {}),
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
    // No style writes 64-bit integers as numbers, so no figure can be held against them. That a number is finite is no figure.
    case "int64":
    case "double":
    case undefined:
      return {};
  }
}

/** Whether the rules ask for the field. */
export function isRequired(field: DescField): boolean {
  return rulesOf(field)?.required === true;
}
