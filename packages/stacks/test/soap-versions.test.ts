// SOAP 1.2 keeps the contract as SOAP 1.1, the default, does: every conformance case, with a client that sends SOAP 1.2.
import { builtInContract } from "@roundtrip/contract";
import { conformanceCases, defaultCaseLimitMs, localSubject, runConformance } from "@roundtrip/conformance";
import { realService } from "@roundtrip/service";
import { expect, test } from "vitest";
import { localStack } from "../src/index.ts";
import { soapStack } from "./support/pair.ts";

test("every conformance case is kept over SOAP 1.2", async () => {
  const contract = builtInContract();
  const stack = await localStack(soapStack, undefined);
  const results = await runConformance({
    contract,
    subject: localSubject({
      ...stack,
      connect: (asked, url, options) => stack.connect(asked, url, { ...options, settings: { soapVersion: "1.2" } }),
      service: realService(contract),
    }),
    cases: conformanceCases,
    caseLimitMs: defaultCaseLimitMs,
    onResult: () => undefined,
  });
  expect(results.filter(({ status }) => status === "fail").map(({ caseId, detail }) => `${caseId}: ${detail}`)).toEqual(
    [],
  );
  expect(results.filter(({ status }) => status === "pass").length).toBeGreaterThan(200);
});
