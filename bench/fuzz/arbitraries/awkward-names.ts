// Valid contract names with a special meaning in JavaScript, JSON, GraphQL or HTTP.
import * as fc from "fast-check";

/** The JSON name that protoc gives a field. It must be unique within a message. */
export function jsonNameOf(name: string): string {
  return name.replaceAll(/_+([A-Za-z0-9])?/g, (_, next: string | undefined) => (next ?? "").toUpperCase());
}

const plain = ["a", "b", "number", "some_text", "data", "items", "nested", "flag"];
const awkward = [
  "class",
  "constructor",
  "to_string",
  "value_of",
  "prototype",
  "type_name",
  "id",
  "ID",
  "query",
  "input",
  "mutation",
  "true",
  "null",
  "on",
  "fragment",
  "with_2_digits",
  "camelCase",
  "UPPER_CASE",
  "trailing_",
  "double__underscore",
  "_leading",
  "key",
  "value",
  "case",
  "type",
  "kind",
  "message",
  "then",
  "has_own_property",
  "is_prototype_of",
  "__proto__",
  "__typename",
  "to_json",
  "length",
  "name",
  "path",
  "body",
  "page_token",
  "is_set",
  "of",
  "node",
];

/** Distinct names for the fields of one message. */
export function fieldNames(count: number): fc.Arbitrary<string[]> {
  return fc.uniqueArray(fc.oneof(fc.constantFrom(...plain), fc.constantFrom(...awkward)), {
    minLength: count,
    maxLength: count,
    selector: (name) => jsonNameOf(name).toLowerCase(),
  });
}
