// Finds resources in the names of methods, types and fields.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";

/** `vatNumber`, `VATNumber` and `vat_number` as `vat_number`. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

/** The kind of a method, by the verb at the start of its name. */
const verbs = {
  get: ["Get", "Read", "Fetch", "Retrieve", "Describe", "Find", "Lookup"],
  list: ["List", "Search", "Query", "Find", "Browse", "Stream"],
  create: ["Create", "Add", "Insert", "Register"],
  update: ["Update", "Patch", "Replace", "Modify", "Edit", "Set", "Put"],
  delete: ["Delete", "Remove"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Verb = keyof typeof verbs;

/** The noun of a method's name: `Book` of `GetBook`, empty for `Get`; undefined without such a verb. */
export function nounAfter(verb: Verb, name: string): string | undefined {
  const found = verbs[verb].find((start) => name.startsWith(start) && !/^[a-z]/.test(name.slice(start.length)));
  return found === undefined ? undefined : name.slice(found.length);
}

/** Whether a text is the plural of a noun, or the noun itself. A heuristic: English plurals are irregular. */
export function isPluralOf(plural: string, singular: string): boolean {
  const stem = singular.replace(/(?:y|is|us|f|fe|e)?$/, "");
  return (
    plural === singular ||
    (plural.startsWith(stem) && /^(?:ies|es|s|ves|i|ren|oes)$/.test(plural.slice(stem.length))) ||
    plural === `${singular}s` ||
    plural === `${singular}es`
  );
}

/** Likely names of key fields, the likeliest first. */
export function keyNames(singular: string): readonly string[] {
  return [
    "name",
    "id",
    `${singular}_id`,
    `${singular}_name`,
    "uid",
    "uuid",
    `${singular}_uuid`,
    "key",
    "slug",
    "number",
    "code",
  ];
}

/** Other names of the same part of a key: `id` in a book is `book_id` elsewhere. */
export function aliasesOf(name: string, singular: string): readonly string[] {
  const groups = [
    ["id", `${singular}_id`, singular],
    ["name", `${singular}_name`, singular],
    ["uuid", `${singular}_uuid`],
  ];
  return groups
    .filter((group) => group.includes(name))
    .flat()
    .filter((alias) => alias !== name);
}

const keyTypes = new Set([
  ScalarType.STRING,
  ScalarType.INT32,
  ScalarType.INT64,
  ScalarType.UINT32,
  ScalarType.UINT64,
  ScalarType.SINT32,
  ScalarType.SINT64,
  ScalarType.FIXED32,
  ScalarType.FIXED64,
  ScalarType.SFIXED32,
  ScalarType.SFIXED64,
]);

export function hasKeys(field: DescField): field is DescField & { fieldKind: "scalar" } {
  return field.fieldKind === "scalar" && keyTypes.has(field.scalar);
}

export function isKeyField(field: DescField): field is DescField & { fieldKind: "scalar" } {
  return hasKeys(field) && field.oneof === undefined;
}

/** The only field of a message that contains a message, or a list of messages. */
export function soleMessageField({ fields }: DescMessage, kind: "message" | "list"): DescField | undefined {
  const found = fields.filter(
    (field) =>
      field.fieldKind === kind && field.message !== undefined && !field.message.typeName.startsWith("google.protobuf."),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** A type's name in snake_case. */
export function nameOf({ name }: DescMessage): string {
  return snakeCase(name);
}
