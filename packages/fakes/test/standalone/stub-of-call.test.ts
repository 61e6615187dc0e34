// A call becomes a stub that repeats its answer and contains no hidden fields.
import { builtInContract } from "@roundtrip/contract";
import { describe, expect, test } from "vitest";
import { parseStubs, writeStubs } from "../../src/index.ts";
import { stubOfCall, type CallToRepeat } from "../../src/standalone/control/stub-routes.ts";
import { secretiveContract } from "../support/secretive-contract.ts";

const contract = builtInContract();
const greeted: CallToRepeat = {
  operation: "roundtrip.v1.HelloService.SayHello",
  requests: [{ name: "Ada" }],
  responses: [{ message: "Hello" }],
  outcome: "OK",
  message: "",
  details: {},
};
const textOf = (change: Partial<CallToRepeat>): string => writeStubs([stubOfCall(contract, { ...greeted, ...change })]);

describe("a stub of a call", () => {
  test("has the form of recordings, contains error details, and can be read again", () => {
    const violations = [{ field: "name", description: "is too long", reason: "len" }];
    const details = { reason: "SHY", domain: "", metadata: {}, violations };
    const text = textOf({ responses: [], outcome: "ABORTED", message: "not now", details });
    expect(text).toBe(`- operation: roundtrip.v1.HelloService.SayHello
  when:
    name: Ada
  error:
    code: ABORTED
    message: not now
    details:
      reason: SHY
      violations:
        - field: name
          description: is too long
          reason: len
`);
    expect(parseStubs(text, "stub", contract)).toMatchObject([{ error: { code: "ABORTED" } }]);
  });

  test("contains zero values, so that an empty request does not match everything, but no unset fields", () => {
    const refused = {
      operation: "GetCustomer",
      requests: [{}],
      responses: [],
      outcome: "INVALID_ARGUMENT",
      message: "id is 0",
    };
    expect(textOf(refused)).toContain("when:\n    id: 0\n  error:");
  });

  test("of a stream has all of its answers, and the error after them", () => {
    const responses = [{ data: "AA==" }, {}];
    const text = textOf({ operation: "Download", requests: [{ sizeBytes: "2" }], responses, outcome: "UNAVAILABLE" });
    expect(text).toContain("responses:\n    - data: AA==\n    - {}\n  error:\n    code: UNAVAILABLE\n");
  });

  test("neither matches by hidden fields nor contains them", () => {
    const secretive = secretiveContract();
    const [operation] = secretive.operations;
    const request = { user: "ada", password: "hunter2", pin: 7, secret: { text: "hush", label: "mine" } };
    const call = { ...greeted, operation: operation?.id ?? "", requests: [request], responses: [{}] };
    const text = writeStubs([stubOfCall(secretive, call)]);
    expect(text).toContain("user: ada");
    expect(text).toContain("label: mine");
    expect(text).not.toMatch(/hunter2|hush|redacted|pin/);
  });
});
