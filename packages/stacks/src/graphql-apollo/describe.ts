// The contract's comments as descriptions, with field names as GraphQL spells them.
import { commentAbove, type Contract, type Described } from "@roundtrip/contract";
import { fieldName } from "./field-name.ts";

const known = new WeakMap<Contract, ReadonlyMap<string, string>>();

function namesIn(contract: Contract): ReadonlyMap<string, string> {
  const messages = contract.operations.flatMap(({ input, output }) => [input, output]);
  return new Map(messages.flatMap(({ fields }) => fields.map((field) => [field.name, fieldName(field)] as const)));
}

/** The comment above an element; null without one, as graphql-js wants it. */
export function describe(desc: Described, { contract }: { readonly contract: Contract }): string | null {
  const names = known.get(contract) ?? namesIn(contract);
  known.set(contract, names);
  const comment = commentAbove(desc).replaceAll(
    /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,
    (word) => names.get(word) ?? word,
  );
  return comment === "" ? null : comment;
}
