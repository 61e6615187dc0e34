// Fields that name a resource of another type: an order's `customer_id` is that of a customer who is there.
import { ScalarType, type DescField } from "@bufbuild/protobuf";
import type { ValueOf } from "../answers/making.ts";
import { rulesOfField } from "../answers/rules.ts";
import { integerRange } from "../answers/values/number-value.ts";
import { numberedText, seededAtTheTop } from "./numbered-key.ts";
import type { Resource } from "./resource.ts";

function isReference({ name }: DescField, { singular, pattern }: Resource): boolean {
  return pattern === undefined ? name === `${singular}_id` : name === singular || name === `${singular}_name`;
}

/** The references to these resources. Those below others, and those whose keys are more than numbered, are named by no one. */
export function referencesTo(resources: readonly Resource[]): ValueOf {
  const named = resources.filter(({ key, pattern }) => {
    const own = key.at(-1)?.field;
    const isNumbered =
      own !== undefined &&
      (rulesOfField(own) === undefined || integerRange(own.scalar ?? ScalarType.STRING) !== undefined);
    return key.length === 1 && isNumbered && (pattern === undefined || pattern.length === 2);
  });
  return (field) => {
    const found = named.find((resource) => field.parent !== resource.message && isReference(field, resource));
    if (found === undefined || field.scalar !== found.key[0]?.scalar || rulesOfField(field) !== undefined)
      return undefined;
    const range = integerRange(field.scalar ?? ScalarType.STRING);
    return (draw) => {
      const number = draw.int(1, seededAtTheTop);
      if (range === undefined) return numberedText(found, "", number);
      return range.high > 2n ** 32n ? BigInt(number) : number;
    };
  };
}
