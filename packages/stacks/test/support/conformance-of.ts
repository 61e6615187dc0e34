// The conformance cases of any contract on a stack, with a server of its own.
import { contractSuite, defaultCaseLimitMs, localSubject, runConformance } from "@roundtrip/conformance";
import type { Contract } from "@roundtrip/contract";
import { expect } from "vitest";
import { loadStack, localStack } from "../../src/index.ts";

/** What does not arrive although the view does not list it as lost. */
export async function faultsOn(stackName: string, contract: Contract): Promise<readonly string[]> {
  const stack = await loadStack(stackName);
  const suite = contractSuite(contract);
  const results = await runConformance({
    contract,
    subject: localSubject({ ...(await localStack(stackName, undefined)), service: suite.service }),
    cases: suite.cases((operation) => stack.view(operation, contract).lost),
    caseLimitMs: defaultCaseLimitMs,
    onResult: () => undefined,
  });
  expect(results.map(({ status }) => status)).toContain("pass");
  return results.filter(({ status }) => status === "fail").map(({ title, detail }) => `${title}: ${detail}`);
}
