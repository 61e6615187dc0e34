// The conformance cases of any contract on a stack, with a server of its own.
import { contractSuite, defaultCaseLimitMs, localSubject, runConformance } from "@roundtrip/conformance";
import type { Contract } from "@roundtrip/contract";
import { loadStack, localStack } from "../../src/index.ts";

export async function conformanceOf(stackName: string, contract: Contract): ReturnType<typeof runConformance> {
  const stack = await loadStack(stackName);
  const suite = contractSuite(contract);
  return runConformance({
    contract,
    subject: localSubject({ ...(await localStack(stackName, undefined)), service: suite.service }),
    cases: suite.cases((operation) => stack.view(operation, contract).lost),
    caseLimitMs: defaultCaseLimitMs,
    onResult: () => undefined,
  });
}
