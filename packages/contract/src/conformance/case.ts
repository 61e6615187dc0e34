// What a conformance case is: one sentence about what a caller can rely on, with a permanent id and the code that finds out.
import type { CaseRun } from "./case-run.ts";

/** `MUST` fails the suite; `SHOULD` is reported and fails nothing. */
export type Level = "MUST" | "SHOULD";

/** What a case is about; each area is one file of `areas/`. */
export type Area =
  | "contract"
  | "values"
  | "masks"
  | "paging"
  | "errors"
  | "deadlines"
  | "limits"
  | "concurrency"
  | "shutdown"
  | "together"
  | "metadata"
  | "streaming"
  | "misuse"
  | "bindings"
  | "authentication"
  | "payload"
  | "matrix";

/**
 * What a case needs beyond a client. `hello`, `customers`, `payload` and `matrix` are services of the contract; `server` is a server of the
 * case's own (with handlers that fail, hang or are slow), which a target that runs elsewhere cannot give; `together` is
 * several operations in one exchange; it, `metadata` and the kinds of streams are what a stack may declare that it cannot do.
 * `misuse` is bytes that no client sends, which the subject has to offer.
 */
export type Need =
  | "hello"
  | "customers"
  | "payload"
  | "matrix"
  | "server"
  | "together"
  | "metadata"
  | "serverStream"
  | "clientStream"
  | "bidiStream"
  | "misuse";

/** One case without its area: what the files of `areas/` write down. */
interface CaseInArea {
  /**
   * `RT-` and four digits. Permanent: a case that goes leaves its id to `retired-ids.ts`. Cases that are made for a contract have its
   * numbers: `OP-` for what arrives over each style, `AN-`, `RU-` and `MI-` for answers, rules and misuse of servers elsewhere.
   */
  readonly id: string;
  readonly level: Level;
  /** A sentence, for example `a mask that names one attribute returns that attribute alone`. */
  readonly title: string;
  readonly needs: readonly Need[];
  /** Resolves when the sentence holds; rejects with an Error whose message is the first difference, in one line. */
  run(run: CaseRun): Promise<void>;
}

/** One case of the suite. */
export interface ConformanceCase extends CaseInArea {
  readonly area: Area;
}

/** The cases of one area. */
export function casesIn(area: Area, cases: readonly CaseInArea[]): readonly ConformanceCase[] {
  return cases.map((one) => ({ ...one, area }));
}
