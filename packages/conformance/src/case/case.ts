// The type of a conformance case: one guarantee for callers, with a permanent id and a test.
import type { CaseRun } from "./case-run.ts";

/** A failed `MUST` case fails the suite; a failed `SHOULD` case is only reported. */
export type Level = "MUST" | "SHOULD";

/** The subject of a case; each area is one file of `areas/`. */
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
  | "matrix"
  | "invoices"
  | "edges";

/**
 * What a case needs beyond a client. `hello`, `customers`, `payload`, `matrix` and `invoices` are services of the contract; `server` is a server of the
 * case's own (with handlers that fail, hang or are slow), which a target that runs elsewhere cannot give; `together` is
 * several operations in one exchange; it, `metadata`, the kinds of streams, and calls by TRACE or by GET with a body are what a stack may declare that it cannot do.
 * `misuse` is bytes that no client sends, which the subject has to offer.
 */
export type Need =
  | "hello"
  | "customers"
  | "payload"
  | "matrix"
  | "invoices"
  | "server"
  | "together"
  | "metadata"
  | "serverStream"
  | "clientStream"
  | "bidiStream"
  | "traceMethod"
  | "bodyOfGet"
  | "misuse";

export interface ConformanceCase {
  /**
   * `RT-` and four digits. Ids are permanent: the id of a removed case goes to `retired-ids.ts`. Cases made from a contract are numbered in
   * its order: `OP-` for messages over each style and `RQ-` for required fields; `AN-`, `RU-`, `IO-` and `MI-` for answers, rules, INPUT_ONLY
   * fields and misuse of a target.
   */
  readonly id: string;
  readonly area: Area;
  readonly level: Level;
  /** A sentence, for example `a mask that names one attribute returns that attribute alone`. */
  readonly title: string;
  readonly needs: readonly Need[];
  /** Resolves if the guarantee is kept; rejects with an Error whose message is the first difference, in one line. */
  run(run: CaseRun): Promise<void>;
}

type CaseBody = Pick<ConformanceCase, "level" | "needs" | "run">;

/** A case whose needs are not those of its list. */
export function needing(needs: readonly Need[], run: ConformanceCase["run"]): CaseBody {
  return { level: "MUST", needs, run };
}

/**
 * The cases of one area.
 * @param needs of each case that does not have its own
 * @param cases by id and title: `RT-0501 a call that is answered within its deadline succeeds`
 */
export function casesIn(
  area: Area,
  needs: readonly Need[],
  cases: Readonly<Record<`RT-${string}`, ConformanceCase["run"] | CaseBody>>,
): readonly ConformanceCase[] {
  return Object.entries(cases).map(([key, one]) => ({
    id: key.slice(0, 7),
    area,
    title: key.slice(8),
    ...(typeof one === "function" ? needing(needs, one) : one),
  }));
}
