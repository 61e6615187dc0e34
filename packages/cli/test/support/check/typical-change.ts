// A typical contract change, with its effect on callers of every style.
import type { ChangeVerdict } from "@roundtrip/styles";
import { shop } from "./shop.ts";

/** What is expected of each, in this order: callers of the styles, and source whose types are generated again. */
export const expectedOf = ["grpc", "rest", "graphql", "json-rpc", "soap", "code"] as const;

type Expected = readonly [
  grpc: ChangeVerdict,
  rest: ChangeVerdict,
  graphql: ChangeVerdict,
  jsonRpc: ChangeVerdict,
  soap: ChangeVerdict,
  code: ChangeVerdict,
];

export interface TypicalChange {
  /** In words, for a table. */
  readonly title: string;
  /** The texts to replace in the contract, once each. */
  readonly edits: readonly (readonly [from: string, to: string])[];
  /** The gravest verdict of each style. */
  readonly expected: Expected;
  /** Renamed elements, as `Thing.name`, with their new names. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Another file that the contract has afterwards. */
  readonly file: string | undefined;
}

// In tables of verdicts, letters are easier to read than words.
export const S = "safe";
export const M = "may break";
export const B = "breaks";

interface More {
  readonly renamed?: Readonly<Record<string, string>>;
  readonly file?: string;
}

export function change(
  title: string,
  edits: readonly (readonly [string, string])[],
  expected: Expected,
  { renamed = {}, file }: More = {},
): TypicalChange {
  return { title, edits, expected, renamed, file };
}

/** The text of the contract after a change. Throws an Error when what it replaces is not there. */
export function shopAfter({ edits, title }: TypicalChange): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${title}: the contract has no ${from}`);
    return text.replace(from, () => to);
  }, shop);
}
