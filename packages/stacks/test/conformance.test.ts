// The default stack of each style keeps the contract: the conformance suite over real sockets, plain and TLS, each case a test of its own.
import { builtInContract } from "@roundtrip/contract";
import {
  conformanceCases,
  conformanceSession,
  defaultCaseLimitMs,
  localSubject,
  type ConformanceSession,
} from "@roundtrip/conformance";
import { realService } from "@roundtrip/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loopbackCertificate } from "../src/shared/tls/certificate.ts";
import { allStacks, loadStack, localStack, stackNames } from "../src/index.ts";

const contract = builtInContract();
const cases = conformanceCases.map((one) => ({ name: `[${one.id} ${one.level}] ${one.title}`, one }));

async function openSession(stack: string, secure: boolean): Promise<ConformanceSession> {
  const certificate = secure ? await loopbackCertificate() : undefined;
  const subject = localSubject({ ...(await localStack(stack, certificate)), service: realService(contract) });
  return conformanceSession({ contract, subject, caseLimitMs: defaultCaseLimitMs });
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
    let session: ConformanceSession;
    beforeAll(async () => {
      session = await openSession(stackName, secure);
    });
    afterAll(() => session.close());

    it.each(cases)("$name", async ({ one }) => {
      const { status, detail } = await session.run(one);
      // A skip says what the stack declares that it cannot do; SHOULD is advice.
      const accepted = status === "skip" || (one.level === "SHOULD" && status === "fail");
      expect(accepted ? "" : detail).toBe("");
    });
  });
});
