// A fake of the built-in contract passes the conformance cases that a contract alone determines.
import { builtInContract } from "@roundtrip/contract";
import { serviceSpecificCases, conformanceCases, conformanceSession, defaultCaseLimitMs } from "@roundtrip/conformance";
import { afterAll, describe, expect, it } from "vitest";
import { inProcessSubject } from "../../../conformance/test/support/in-process-subject.ts";
import { createFake } from "../../src/fake/fake.ts";

const contract = builtInContract();
const session = conformanceSession({
  contract,
  // A case that passes in spite of its entry fails, and the entry must be removed.
  subject: { ...inProcessSubject(createFake({ contract }).service), deviations: serviceSpecificCases },
  caseLimitMs: defaultCaseLimitMs,
});
afterAll(() => session.close());

// Cases with their own server and handlers do not use the fake.
const cases = conformanceCases.filter(({ needs }) => !needs.includes("misuse") && !needs.includes("server"));

describe("answers that are made up", () => {
  it.each(cases.map((one) => ({ name: `[${one.id} ${one.level}] ${one.title}`, one })))("$name", async ({ one }) => {
    const { status, detail } = await session.run(one);
    const excuse = serviceSpecificCases.find(({ caseId }) => caseId === one.id);
    expect(status).toBe(excuse === undefined ? "pass" : "skip");
    expect(detail).toContain(excuse?.reason ?? "");
  });
});
