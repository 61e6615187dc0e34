// Fields that refer to resources: an order's `customer_id` is that of an existing customer, and so is the `id` of a customer inside another
// answer. What the contract says of a field comes first, then its name.
import { ScalarType, type DescField } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import {
  findEdges,
  isPluralOf,
  type Lookup,
  referenceOption,
  type Resource,
  resourceOption,
  snakeCase,
} from "@roundtrip/contract/resources";
import { type FieldRules, rulesOfField } from "@roundtrip/contract/declared-rules";
import { exampleName, pathExample } from "../basics/names.ts";
import type { ValueOf } from "../answers/draw.ts";
import { integerFits, integerRange } from "../answers/values/number-value.ts";
import { textFits } from "../answers/values/text-value.ts";
import { numberedText, seededAtTheTop, seededBelowEach } from "./resource.ts";

/** Whether a field has the name of a resource: `customer_id`, or `topic`, `topic_name` and `dead_letter_topic` for resources with names. */
function isNamedAfter({ name, fieldKind, parent }: DescField, { singular, pattern, message }: Resource): boolean {
  if (parent === message) return false;
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

/** The initial resources of a kind, by number from 1. */
interface Numbered {
  readonly scalar: ScalarType | undefined;
  readonly count: number;
  text(number: number): string;
}

function numberedIn(resources: readonly Resource[], resource: Resource): Numbered {
  const parent = firstParent(resources, resource);
  return {
    scalar: resource.key[0]?.scalar,
    count: parent === "" ? seededAtTheTop : seededBelowEach,
    text: (number) => numberedText(resource, parent, number),
  };
}

/** What is only got, by any key that the path of its method has. */
function numberedBy({ operation, key }: Lookup): Numbered {
  const name =
    pathExample(operation.bindings[0], [key.name])?.example ?? exampleName([snakeCase(operation.output.name), "*"]);
  return { scalar: key.scalar, count: seededBelowEach, text: numbered(name) };
}

function numbered(name: string): Numbered["text"] {
  return (number) => name.replace(/1$/, String(number));
}

/** Whether messages are identified by another of their fields, in their resource or in what gets one. */
function hasOtherKey(contract: Contract, resources: readonly Resource[], { name, parent }: DescField): boolean {
  const own = resources.find(({ message }) => message === parent);
  if (own !== undefined) return own.key.every(({ field }) => field?.name !== name);
  const gets = contract.operations.filter(({ output, sideEffects }) => output === parent && sideEffects === "none");
  return gets.length > 0 && gets.every(({ input }) => input.fields.every((field) => field.name !== name));
}

/** The patterns of the names in a field with the name of its own message, such as one that is only listed. Without being the key, `name` is free text. */
function ownNames(
  contract: Contract,
  resources: readonly Resource[],
  field: DescField,
): readonly (readonly string[])[] {
  const { nameField, patterns = [] } = resourceOption(contract, field.parent) ?? {};
  if (field.name !== nameField || hasOtherKey(contract, resources, field)) return [];
  return patterns.filter((pattern) => pattern.at(-1) === "*");
}

/** The resource to which a field refers; undefined for other fields. */
export type ReferredTo = (field: DescField) => Resource | undefined;

/** Finds the resources to which fields refer: the one whose own key they are, what an annotation says, or one of their name. */
export function referredIn(contract: Contract, resources: readonly Resource[]): ReferredTo {
  const gets = new Map(findEdges(contract).references.map(({ field, get }) => [field, get]));
  const ofType = Map.groupBy(resources, ({ message }) => resourceOption(contract, message)?.type ?? "");
  return (field) => {
    const own = resources.find(({ key }) => key[0]?.field === field);
    if (own !== undefined) return own;
    const type = referenceOption(contract, field)?.type ?? "";
    if (type === "" || type === "*") return resources.find((resource) => isNamedAfter(field, resource));
    const { output, method } = gets.get(field)?.operation ?? {};
    const found = (ofType.get(type) ?? []).filter(({ message }) => output === undefined || message === output);
    return found.find(({ services }) => method !== undefined && services.has(method.parent)) ?? found[0];
  };
}

/** Finds the keys that fields may have: those of stored resources, or of what is only got. */
function targetFinder(contract: Contract, resources: readonly Resource[]): (field: DescField) => Numbered | undefined {
  const gets = new Map(findEdges(contract).references.map(({ field, get }) => [field, get]));
  const referred = referredIn(contract, resources);
  return (field) => {
    const found = referred(field);
    if (found !== undefined) return numberedIn(resources, found);
    const get = gets.get(field);
    if (get !== undefined) return numberedBy(get);
    const [pattern] = ownNames(contract, resources, field);
    return pattern && { scalar: ScalarType.STRING, count: seededBelowEach, text: numbered(exampleName(pattern)) };
  };
}

/** The references to these resources of a contract. Resources with several key parts, or keys that are not numbered, have no references. */
export function referencesTo(contract: Contract, resources: readonly Resource[]): ValueOf {
  const named = resources.filter(({ key, pattern }) => {
    const own = key.at(-1)?.field;
    const isNumbered =
      own !== undefined &&
      (rulesOfField(own) === undefined || integerRange(own.scalar ?? ScalarType.STRING) !== undefined);
    return key.length === 1 && (isNumbered || pattern !== undefined);
  });
  const targetOf = targetFinder(contract, named);
  return (field) => {
    if (field.fieldKind !== "scalar" && field.fieldKind !== "list") return undefined;
    const target = targetOf(field);
    if (target === undefined || field.scalar !== target.scalar) return undefined;
    const range = integerRange(field.scalar ?? ScalarType.STRING);
    const rules = rulesOfField(field);
    const numbers = Array.from({ length: target.count }, (_, at) => at + 1);
    if (range === undefined) {
      const isAllowed = rules === undefined ? () => true : textFits(valueRules(field, rules));
      const texts = numbers.map((number) => target.text(number)).filter(isAllowed);
      return texts.length === 0 ? undefined : (draw) => draw.pick(texts);
    }
    const fits = rules === undefined ? () => true : integerFits(range, valueRules(field, rules));
    const fitting = numbers.filter((number) => fits(BigInt(number)));
    if (fitting.length === 0) return undefined;
    return (draw) => {
      const number = draw.pick(fitting);
      return range.high > 2n ** 32n ? BigInt(number) : number;
    };
  };
}
