// One change that contracts typically go through, with what it does to callers of every style.
import type { Verdict } from "../../../src/check/judgement.ts";
import { shop } from "./shop.ts";

/** What callers of gRPC, REST and GraphQL meet, and source whose types are generated anew. */
type Expected = readonly [grpc: Verdict, rest: Verdict, graphql: Verdict, code: Verdict];

export interface TypicalChange {
  /** In words, for a table. */
  readonly title: string;
  /** What of the contract is replaced by what, once each. */
  readonly edits: readonly (readonly [from: string, to: string])[];
  /** The gravest verdict of each style. */
  readonly expected: Expected;
  /** What things of the contract before are called in the one after, as `Thing.name`; things that keep their name are left out. */
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
