// Which changes of types keep the JSON of values, though graphql-js finds another type.
import type { DescField } from "@bufbuild/protobuf";
import { hasOwnJson, isReceived, isSent, valueTypeOf, type Change } from "@roundtrip/contract/changes";
import { isSameJson, judgeJsonType } from "../../shared/breaking-changes/judge-json-type.ts";

function isNumber(field: DescField): boolean {
  return field.fieldKind !== "map" && ["integer", "integer text", "number"].includes(valueTypeOf(field).json);
}

/**
 * Whether a member of an input accepts earlier values: a list accepts one value, and some number types accept others. Documents whose variables are
 * whole inputs continue to work; those with a variable for the member fail.
 */
export function acceptsSame(change: Change): boolean {
  if (change.kind !== "field-type-changed" && change.kind !== "field-cardinality-changed") return false;
  const { before, after, locations } = change;
  if (isReceived(locations)) return false;
  const isText = [before, after].map((field) => valueTypeOf(field).json === "integer text");
  if (isText[0] === true && isText[1] === false) return false;
  if (change.kind === "field-cardinality-changed") return before.fieldKind === "scalar" && after.fieldKind === "list";
  return isNumber(before) && isNumber(after) && judgeJsonType(change).verdict !== "breaks";
}

/** Whether documents select nothing in the field. A FieldMask is a list. */
function isLeaf({ message }: DescField): boolean {
  return message === undefined || (hasOwnJson(message) && message.typeName !== "google.protobuf.FieldMask");
}

/** Whether a value of an answer keeps its JSON form: documents do not name the scalars and enums that they select. */
export function keepsJsonForm(change: Change): boolean {
  if (!("before" in change) || !("locations" in change) || isSent(change.locations)) return false;
  if (change.kind !== "field-type-changed" && change.kind !== "field-cardinality-changed") return false;
  const { before, after } = change;
  // A map is a list of entries, and no object.
  if (before.fieldKind === "map" || after.fieldKind === "map") return false;
  if (isSameJson(before, after) || isSameJson(after, before)) return true;
  const areLeaves = isLeaf(before) && isLeaf(after);
  const areNumberAndName = isNumber(before) ? after.enum !== undefined : isNumber(after) && before.enum !== undefined;
  return (
    change.kind === "field-type-changed" && areLeaves && !areNumberAndName && judgeJsonType(change).verdict !== "breaks"
  );
}
