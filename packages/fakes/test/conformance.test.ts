// The conformance suite against a fake, over the default stack of each style: a library changes nothing of what a fake answers.
import { builtInContract } from "@roundtrip/contract";
import {
  conformanceCases,
  conformanceSession,
  defaultCaseLimitMs,
  localSubject,
  type ConformanceSession,
} from "@roundtrip/conformance";
import { allStacks, localStack } from "@roundtrip/stacks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFake } from "../src/fake/fake.ts";
import { taught } from "./support/known-answers.ts";

const contract = builtInContract();
/** Excludes cases with their own server, which do not use the fake. Powers of matrices come from handlers. */
const askingServices = conformanceCases.filter(({ needs }) => !needs.includes("server") && !needs.includes("matrix"));
const cases = askingServices.map((one) => ({ name: `[${one.id} ${one.level}] ${one.title}`, one }));

async function openSession(stack: string): Promise<ConformanceSession> {
  const { service } = createFake({ contract, handlers: taught(contract) });
  const subject = localSubject({ ...(await localStack(stack, undefined)), service });
  return conformanceSession({ contract, subject, caseLimitMs: defaultCaseLimitMs });
}

describe.each(allStacks().filter(({ isDefault }) => isDefault))("a fake over $name", ({ name: stackName }) => {
  let session: ConformanceSession;
  beforeAll(async () => {
    session = await openSession(stackName);
  });
  afterAll(() => session.close());

  it.each(cases)("$name", async ({ one }) => {
    const { status, detail } = await session.run(one);
    // A skip means a declared limitation of the stack; SHOULD is advice.
    const accepted = status === "skip" || (one.level === "SHOULD" && status === "fail");
    expect(accepted ? "" : detail).toBe("");
  });
});
