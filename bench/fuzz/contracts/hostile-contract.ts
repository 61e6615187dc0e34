// Contracts of strangers: each kind is as large, deep, entangled or contradictory as a .proto file can be, and is drawn in several sizes.
import { randomFrom } from "../mutate.ts";
import { amounts } from "./kinds/amounts.ts";
import { graphs } from "./kinds/graphs.ts";
import { ruleKinds } from "./kinds/rules.ts";

/** A contract as .proto files by path. */
export interface HostileContract {
  /** The kind and its size, such as `ring-700`. */
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

const kinds = { ...graphs, ...amounts, ...ruleKinds };

/** All kinds in all sizes. */
export function hostileContracts(seed: number): readonly HostileContract[] {
  return Object.entries(kinds).flatMap(([kind, { sizes, make }]) =>
    sizes.map((size) => {
      const made = make(size, randomFrom(seed + size));
      return { name: `${kind}-${size}`, files: typeof made === "string" ? new Map([["hostile.proto", made]]) : made };
    }),
  );
}

function changed(text: string): string {
  return text.replaceAll(/\bvalue\b(?= = \d)/g, "worth").replaceAll(/\b(E_V\d*)5\b/g, "$1_five");
}

/** The contract after a change: other names for most values and fields, so that callers of the first break. */
export function changedContract({ name, files }: HostileContract): HostileContract {
  return { name, files: new Map([...files].map(([path, text]) => [path, changed(text)])) };
}
