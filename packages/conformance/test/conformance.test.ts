// The real service keeps the contract: the whole suite against it, with no network in between.
import { builtInContract } from "@roundtrip/contract";
import { conformanceCases, conformanceSession, defaultCaseLimitMs } from "../src/index.ts";
import { afterAll, describe, expect, it } from "vitest";
import { realService } from "@roundtrip/service";
import { inProcessSubject } from "./support/in-process-subject.ts";

const contract = builtInContract();
const session = conformanceSession({
  contract,
  subject: inProcessSubject(realService(contract)),
  caseLimitMs: defaultCaseLimitMs,
});
afterAll(() => session.close());

// Without a network there are no bytes to get wrong.
const cases = conformanceCases.filter(({ needs }) => !needs.includes("misuse"));

describe("the service without a network", () => {
  it.each(cases.map((one) => ({ name: `[${one.id} ${one.level}] ${one.title}`, one })))("$name", async ({ one }) => {
    const { status, detail } = await session.run(one);
    expect({ status, detail }).toEqual({ status: "pass", detail: "" });
  });
});
