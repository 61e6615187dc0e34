// Which fields of a request a caller has to give: those whose absence would break a rule of the contract. Documents call them required.
import { getOption, hasOption, type DescField } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { field as rulesOption } from "@roundtrip/contract/gen/buf/validate/validate_pb";

/** True when zero, as a number or as a length, is outside `greaterThan` and `lessThan` bounds of numeric rules. */
function zeroIsRefused(rules: {
  readonly greaterThan: { readonly case: string | undefined; readonly value?: bigint | number | undefined };
  readonly lessThan: { readonly case: string | undefined; readonly value?: bigint | number | undefined };
}): boolean {
  const { greaterThan, lessThan } = rules;
  if (greaterThan.case === "gt" && (greaterThan.value ?? -1) >= 0) return true;
  if (greaterThan.case === "gte" && (greaterThan.value ?? 0) > 0) return true;
  if (lessThan.case === "lt" && (lessThan.value ?? 1) <= 0) return true;
  return lessThan.case === "lte" && (lessThan.value ?? 0) < 0;
}

/** True when a request without the field is refused, whatever else it holds. */
export function mustBeGiven(field: DescField): boolean {
  if (field.presence === Presence.LEGACY_REQUIRED) return true;
  if (field.oneof !== undefined || !hasOption(field, rulesOption)) return false;
  const { required, type } = getOption(field, rulesOption);
  if (required) return true;
  // Other rules look at a field with presence only when it is there.
  if (field.presence === Presence.EXPLICIT) return false;
  switch (type.case) {
    case "int32":
    case "int64":
      return zeroIsRefused(type.value);
    case "string":
      return type.value.minLen > 0n || type.value.len > 0n;
    case "bytes":
      return type.value.minLen > 0n;
    case "repeated":
      return type.value.minItems > 0n;
    case "double":
    case undefined:
      return false;
  }
}
