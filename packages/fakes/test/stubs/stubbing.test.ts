// Stubs: which requests they match, and the sequence of their answers.
import { create } from "@bufbuild/protobuf";
import { builtInContract, handlersOf, ServerCall, type Service } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import { ConformanceService } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { describe, expect, it } from "vitest";
import { overriding } from "../../src/overrides/overriding.ts";
import { overridesOf } from "../../src/overrides/overrides-of.ts";
import { stubbing } from "../../src/stubs/stubbing.ts";
import type { Stub, StubAnswer } from "../../src/stubs/stub.ts";
import { call, serviceBehind, stream } from "./support/calls.ts";

const contract = builtInContract();
const sayHello = "roundtrip.v1.HelloService.SayHello";
const getCustomer = "roundtrip.v1.CustomerService.GetCustomer";

const behind = serviceBehind(
  contract,
  handlersOf(HelloService, { sayHello: ({ name }) => create(SayHelloResponseSchema, { message: `made up: ${name}` }) }),
);

function response(message: string): StubAnswer {
  return { kind: "response", response: { message } };
}

function failure(message: string): StubAnswer {
  return { kind: "error", code: "UNAVAILABLE", message, details: {} };
}

function stubbed(...stubs: readonly Partial<Stub>[]): Service {
  const full = stubs.map((stub) => ({
    operation: sayHello,
    when: {},
    answers: [{ kind: "made-up" } as const],
    ...stub,
  }));
  return stubbing(contract, full)(behind);
}

describe("a stub", () => {
  it("answers matching requests, and passes others on", async () => {
    const service = stubbed({ when: { name: "Ada" }, answers: [response("stubbed")] });
    expect(await call(service, sayHello, { name: "Ada" })).toEqual({ message: "stubbed" });
    expect(await call(service, sayHello, { name: "Bob" })).toEqual({ message: "made up: Bob" });
    expect(await call(service, getCustomer, { id: 1 })).toBe(`UNIMPLEMENTED: ${getCustomer} is not implemented`);
  });

  it("takes precedence over later ones", async () => {
    const service = stubbed(
      { when: { name: "Ada" }, answers: [response("first")] },
      { answers: [response("second")] },
      { answers: [response("never")] },
    );
    expect(await call(service, sayHello, { name: "Ada" })).toEqual({ message: "first" });
    expect(await call(service, sayHello, { name: "Bob" })).toEqual({ message: "second" });
  });

  it("answers in sequence, and repeats its last answer", async () => {
    const service = stubbed({ answers: [failure("not yet"), { kind: "made-up" }, response("works")] });
    const outcomes = [];
    // oxlint-disable-next-line no-await-in-loop
    for (let position = 0; position < 4; position += 1) outcomes.push(await call(service, sayHello, { name: "Ada" }));
    expect(outcomes).toEqual([
      "UNAVAILABLE: not yet",
      { message: "made up: Ada" },
      { message: "works" },
      { message: "works" },
    ]);
  });

  it("restarts its sequence for each service that it wraps, and counts only matching requests", async () => {
    const stub: Stub = {
      operation: sayHello,
      when: { name: "Ada" },
      answers: [failure("not yet"), response("works")],
    };
    const interceptor = stubbing(contract, [stub]);
    const [one, other] = [interceptor(behind), interceptor(behind)];
    expect(await call(one, sayHello, { name: "Ada" })).toBe("UNAVAILABLE: not yet");
    expect(await call(other, sayHello, { name: "Bob" })).toEqual({ message: "made up: Bob" });
    expect(await call(one, sayHello, { name: "Ada" })).toEqual({ message: "works" });
    expect(await call(other, sayHello, { name: "Ada" })).toBe("UNAVAILABLE: not yet");
  });

  it("fails with all members of an error", async () => {
    const details = {
      reason: "BUSY",
      domain: "example.com",
      metadata: { until: "noon" },
      violations: [{ field: "name", description: "is Ada", reason: "no_ada" }],
    };
    const service = stubbed({ answers: [{ kind: "error", code: "RESOURCE_EXHAUSTED", message: "busy", details }] });
    const { input } = contract.operation(sayHello);
    const failing = () => service.call(contract.operation(sayHello), create(input), new ServerCall());
    expect(failing).toThrow(expect.objectContaining({ code: "RESOURCE_EXHAUSTED", message: "busy", details }));
  });
});

function idOf(name: string): string {
  return `roundtrip.conformance.v1.ConformanceService.${name}`;
}

describe("a stub of a stream", () => {
  const conformance = conformanceContract();
  const handlers = overridesOf(ConformanceService, {
    async *converse(requests) {
      for await (const { text } of requests) yield { text: `made up: ${text}` };
    },
  });
  const echoing = overriding(handlers)(serviceBehind(conformance));
  const around = (...stubs: readonly Stub[]): Service => stubbing(conformance, stubs)(echoing);

  it("answers with messages, and can fail after them", async () => {
    const responses = [{ index: 1 }, { index: 2 }];
    const end = { code: "DATA_LOSS", message: "no more", details: {} } as const;
    const service = around(
      { operation: idOf("Download"), when: { count: 1 }, answers: [{ kind: "responses", responses, failure: end }] },
      { operation: idOf("Download"), when: {}, answers: [{ kind: "responses", responses, failure: undefined }] },
    );
    expect(await stream(service, idOf("Download"), [{ count: 1 }])).toEqual([...responses, "DATA_LOSS: no more"]);
    expect(await stream(service, idOf("Download"), [{}])).toEqual(responses);
  });

  it("matches the first of several requests", async () => {
    const service = around({
      operation: idOf("Upload"),
      when: { index: 1 },
      answers: [{ kind: "response", response: { count: 7 } }],
    });
    expect(await stream(service, idOf("Upload"), [{ index: 1 }, { index: 2 }])).toEqual([{ count: 7 }]);
    expect(await stream(service, idOf("Upload"), [{ index: 2 }, { index: 1 }])).toEqual([
      `UNIMPLEMENTED: ${idOf("Upload")} is not implemented`,
    ]);
    expect(await stream(service, idOf("Upload"), [])).toEqual([`UNIMPLEMENTED: ${idOf("Upload")} is not implemented`]);
  });

  it("passes all requests on if none matches, with the one that it read", async () => {
    const service = around({ operation: idOf("Converse"), when: { text: "no" }, answers: [{ kind: "made-up" }] });
    expect(await stream(service, idOf("Converse"), [{ text: "a" }, { text: "b" }])).toEqual([
      { text: "made up: a" },
      { text: "made up: b" },
    ]);
  });
});
