// The contract's comments and rules as schema descriptions, with GraphQL field names, and what it deprecates.
import type { DescField, DescOneof } from "@bufbuild/protobuf";
import { commentAbove, type Contract, type ContractElement, isDeprecated, memoize } from "@roundtrip/contract";
import { DEFAULT_DEPRECATION_REASON } from "graphql";
import { fieldName } from "./field-name.ts";
import { ruleSentences } from "./rule-sentences.ts";

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

interface Documented {
  readonly description: string | null;
  readonly deprecationReason?: string;
}

function deprecation(desc: ContractElement): Pick<Documented, "deprecationReason"> {
  return isDeprecated(desc) ? { deprecationReason: DEFAULT_DEPRECATION_REASON } : {};
}

/** The comment of an element, and whether it is deprecated. */
export function documented(desc: ContractElement, model: { readonly contract: Contract }): Documented {
  return { description: describe(desc, model), ...deprecation(desc) };
}

interface InputWords {
  readonly isNonNull: boolean;
  /** Whether to put the contract's rules into words. */
  readonly hasRules: boolean;
}

/** The same of a request's member. GraphQL deprecates nothing that every request must have. */
export function documentedInput(
  desc: DescField | DescOneof,
  { isNonNull, hasRules }: InputWords,
  model: { readonly contract: Contract },
): Documented {
  const rules = hasRules ? ruleSentences(desc) : [];
  const text = [describe(desc, model) ?? "", ...rules].filter((part) => part !== "").join(" ");
  return { description: text === "" ? null : text, ...(isNonNull ? {} : deprecation(desc)) };
}
