// The contract's comments as schema descriptions, with GraphQL field names.
import type { DescField, DescOneof } from "@bufbuild/protobuf";
import { commentAbove, type Contract, type ContractElement, memoize } from "@roundtrip/contract";
import { limitsOf } from "@roundtrip/contract/field-rules";
import { fieldName } from "./field-name.ts";

const namesIn = memoize(({ operations }: Contract): ReadonlyMap<string, string> => {
  const messages = operations.flatMap(({ input, output }) => [input, output]);
  const members = messages.flatMap(({ fields, oneofs }) => [...fields, ...oneofs]);
  return new Map(members.map((member) => [member.name, fieldName(member)]));
});

/** The comment of an element; null without one, as graphql-js expects. */
export function describe(desc: ContractElement, { contract }: { readonly contract: Contract }): string | null {
  const names = namesIn(contract);
  const comment = commentAbove(desc).replaceAll(
    /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,
    (word) => names.get(word) ?? word,
  );
  return comment === "" ? null : comment;
}

function rangeText(least: number | undefined, most: number | undefined, unit: string): readonly string[] {
  const units = unit === "" ? "" : ` ${unit}`;
  if (least !== undefined && most !== undefined)
    return [least === most ? `${least}${units}.` : `${least} to ${most}${units}.`];
  if (least !== undefined) return [`At least ${least}${units}.`];
  return most === undefined ? [] : [`At most ${most}${units}.`];
}

/** A value's limits as text: `1 to 200 characters.` Only integers have bounds, so `above 0` is `at least 1`. */
function limitsText(field: DescField): readonly string[] {
  const { minLength, maxLength, minItems, maxItems, pattern, ...bounds } = limitsOf(field);
  const { exclusiveMinimum: above, exclusiveMaximum: below } = bounds;
  const least = above === undefined ? bounds.minimum : above + 1;
  const most = below === undefined ? bounds.maximum : below - 1;
  return [
    ...rangeText(minLength, maxLength, "characters"),
    ...rangeText(minItems, maxItems, "items"),
    ...rangeText(least, most, ""),
    ...(pattern === undefined ? [] : [`Matches \`${pattern}\`.`]),
  ];
}

/** The comment of a request's member, with the limits of the contract's rules. */
export function describeInput(desc: DescField | DescOneof, model: { readonly contract: Contract }): string | null {
  const limits = desc.kind === "field" ? limitsText(desc) : [];
  const text = [describe(desc, model) ?? "", ...limits].filter((part) => part !== "").join(" ");
  return text === "" ? null : text;
}
