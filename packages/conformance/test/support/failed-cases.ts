// The suite is worth what it catches: which of its cases fail with a client that breaks a promise.
import { builtInContract, type Client } from "@roundtrip/contract";
import { conformanceCases, runConformance } from "../../src/index.ts";
import { realService } from "@roundtrip/service";
import { inProcessSubject } from "./in-process-subject.ts";

/** What a client breaks, how it is made of one that keeps every promise, and the ids of the cases that fail. */
export type BrokenClient = readonly [what: string, breaking: (client: Client) => Client, caught: readonly string[]];

const contract = builtInContract();

/** Some cases wait for what a broken client never does. */
const caseLimitMs = 400;

/** Runs the cases with these ids with the broken client; the ids of those that failed, in order. */
export async function failedCases(
  breaking: (client: Client) => Client,
  ids: readonly string[],
): Promise<readonly string[]> {
  const results = await runConformance({
    contract,
    subject: inProcessSubject(realService(contract), breaking),
    cases: conformanceCases.filter(({ id }) => ids.includes(id)),
    caseLimitMs,
    onResult: () => {},
  });
  return results.filter(({ status }) => status === "fail").map(({ caseId }) => caseId);
}
