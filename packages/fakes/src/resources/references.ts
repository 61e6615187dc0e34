// Fields that refer to resources: an order's `customer_id` is that of an existing customer, and so is the `id` of a customer inside another
// answer.
import { ScalarType, type DescField } from "@bufbuild/protobuf";
import { isPluralOf, type Resource } from "@roundtrip/contract/resources";
import { exampleName } from "../basics/names.ts";
import type { ValueOf } from "../answers/draw.ts";
import { type FieldRules, rulesOfField } from "../answers/rules.ts";
import { integerFits, integerRange } from "../answers/values/number-value.ts";
import { numberedText, seededAtTheTop, seededBelowEach } from "./resource.ts";

/**
 * Whether a field refers to a resource: it is the resource's own key, or has its name: `customer_id`, or `topic`, `topic_name` and
 * `dead_letter_topic` for resources with names.
 */
function isReference(field: DescField, { singular, pattern, message, key }: Resource): boolean {
  const { name, fieldKind, parent } = field;
  if (parent === message) return field === key[0]?.field;
  const isList = fieldKind === "list";
  if (pattern === undefined) return name === `${singular}_id` || (isList && name === `${singular}_ids`);
  if (isList) return isPluralOf(name.replace(/_names$/, "s"), singular);
  return `_${name.replace(/_name$/, "")}`.endsWith(`_${singular}`);
}

/** The parent of the first resources of a kind; empty if they have none. */
function firstParent(resources: readonly Resource[], { pattern = [] }: Resource): string {
  const prefix = pattern.slice(0, -2);
  const above = resources.find((candidate) => prefix.length > 0 && candidate.pattern?.join("/") === prefix.join("/"));
  return above === undefined ? exampleName(prefix) : numberedText(above, firstParent(resources, above), 1);
}

/** The rules of a field's values: those of the items of a list. */
function valueRules({ fieldKind }: DescField, { type }: FieldRules): FieldRules["type"]["value"] {
  if (fieldKind !== "list") return type.value;
  return type.case === "repeated" ? type.value.items?.type.value : undefined;
}

/** The references to these resources. Resources with several key parts, or keys that are not numbered, have no references. */
export function referencesTo(resources: readonly Resource[]): ValueOf {
  const named = resources.filter(({ key, pattern }) => {
    const own = key.at(-1)?.field;
    const isNumbered =
      own !== undefined &&
      (rulesOfField(own) === undefined || integerRange(own.scalar ?? ScalarType.STRING) !== undefined);
    return key.length === 1 && (isNumbered || pattern !== undefined);
  });
  return (field) => {
    if (field.fieldKind !== "scalar" && field.fieldKind !== "list") return undefined;
    const found = named.find((resource) => isReference(field, resource));
    if (found === undefined || field.scalar !== found.key[0]?.scalar) return undefined;
    const range = integerRange(field.scalar ?? ScalarType.STRING);
    const rules = rulesOfField(field);
    const parent = firstParent(resources, found);
    const count = parent === "" ? seededAtTheTop : seededBelowEach;
    if (range === undefined) {
      return rules === undefined ? (draw) => numberedText(found, parent, draw.int(1, count)) : undefined;
    }
    const fits = rules === undefined ? () => true : integerFits(range, valueRules(field, rules));
    const numbers = Array.from({ length: count }, (_, at) => at + 1).filter((number) => fits(BigInt(number)));
    if (numbers.length === 0) return undefined;
    return (draw) => {
      const number = draw.pick(numbers);
      return range.high > 2n ** 32n ? BigInt(number) : number;
    };
  };
}
