// The default stack of each style keeps the contract: the conformance suite over real sockets, plain and TLS, each case a test of its own.
import { builtInContract } from "@roundtrip/contract";
import {
  conformanceCases,
  defaultCaseLimitMs,
  localSubject,
  runConformance,
  type CaseResult,
} from "@roundtrip/conformance";
import { realService } from "@roundtrip/service";
import { beforeAll, describe, expect, it } from "vitest";
import { loopbackCertificate } from "../src/shared/tls/certificate.ts";
import { allStacks, loadStack, localStack, stackNames } from "../src/index.ts";

const contract = builtInContract();
const cases = conformanceCases.map((one) => ({ name: `[${one.id} ${one.level}] ${one.title}`, one }));

/** The result of every case by its id. */
async function resultsOf(stack: string, secure: boolean): Promise<ReadonlyMap<string, CaseResult>> {
  const certificate = secure ? await loopbackCertificate() : undefined;
  const subject = localSubject({ ...(await localStack(stack, certificate)), service: realService(contract) });
  const results = await runConformance({
    contract,
    subject,
    cases: conformanceCases,
    caseLimitMs: defaultCaseLimitMs,
    onResult: () => undefined,
  });
  return new Map(results.map((result) => [result.caseId, result]));
}

it.each(stackNames())("%s declares deviations of cases that exist, each with a reason", async (stackName) => {
  const { deviations } = await loadStack(stackName);
  const ids = conformanceCases.map(({ id }) => id);
  expect(deviations.filter(({ caseId, reason }) => !ids.includes(caseId) || reason === "")).toEqual([]);
});

const defaultStacks = allStacks().filter(({ isDefault }) => isDefault);

describe.each(defaultStacks)("$name", ({ name: stackName }) => {
  describe.each([
    { transport: "plain", secure: false },
    { transport: "TLS", secure: true },
  ])("$transport", ({ secure }) => {
    let results: ReadonlyMap<string, CaseResult>;
    beforeAll(async () => {
      results = await resultsOf(stackName, secure);
    });

    it.each(cases)("$name", ({ one: { id, level } }) => {
      const { status, detail } = results.get(id) ?? { status: "fail", detail: "did not run" };
      // A skip says what the stack declares that it cannot do; SHOULD is advice.
      const accepted = status === "skip" || (level === "SHOULD" && status === "fail");
      expect(accepted ? "" : detail).toBe("");
    });
  });
});
