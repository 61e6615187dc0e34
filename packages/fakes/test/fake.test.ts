// A fake as a whole: the order of its layers, what a session keeps, and what can be replaced while it is served.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { builtInContract, only, ServerCall, withMetadata } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import {
  HelloService,
  SayHelloRequestSchema,
  type SayHelloResponse,
} from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { describe, expect, it } from "vitest";
import { createFake, type Fake } from "../src/fake/fake.ts";
import type { FakeError } from "../src/basics/fake-error.ts";
import { type FaultPlan, noFaults } from "../src/faults/fault-schema.ts";
import { memoryClient } from "@roundtrip/stacks/memory";
import { maxSessions } from "../src/fake/sessions.ts";
import { fakeHandlers } from "../src/handlers/fake-handlers.ts";
import { sessionMetadataName } from "../src/basics/names.ts";
import type { Stub } from "../src/stubs/stub-schema.ts";

const contract = builtInContract();
const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");

/** Calls SayHello in a session. */
async function greet(fake: Fake, name = "World", session = ""): Promise<string> {
  const client = withMetadata(
    memoryClient(() => fake.service),
    new Map([[sessionMetadataName, session]]),
  );
  const answer = await client.prepare(sayHello)(create(SayHelloRequestSchema, { name }));
  return (answer as SayHelloResponse).message;
}

function stub(name: string, ...messages: readonly string[]): Stub {
  return {
    operation: sayHello.id,
    when: { name },
    answers: messages.map((message) => ({ response: { message } })),
  };
}

const down: FaultPlan = { faults: [{ operation: "*", error: { code: "UNAVAILABLE", message: "down" } }] };

describe("a fake", () => {
  it("makes up the same answers for the same seed, in every session", async () => {
    const fake = createFake({ contract, seed: 7 });
    const answer = await greet(fake, "World", "one");
    expect(await greet(fake, "World", "two")).toBe(answer);
    expect(await greet(createFake({ contract, seed: 7 }))).toBe(answer);
  });

  it("answers by a stub first, then by a handler, then by a made-up answer", async () => {
    const handlers = fakeHandlers(HelloService, {
      sayHello: async ({ name }, _context, behind) =>
        name === "handled" ? { message: "by a handler" } : behind(create(SayHelloRequestSchema, { name })),
    });
    const fake = createFake({ contract, handlers, stubs: [stub("stubbed", "by a stub")] });
    const plain = createFake({ contract });
    expect(await greet(fake, "stubbed")).toBe("by a stub");
    expect(await greet(fake, "handled")).toBe("by a handler");
    expect(await greet(fake, "made up")).toBe(await greet(plain, "made up"));
  });

  it("applies faults before answers, and records the caller's error", async () => {
    const fake = createFake({ contract, stubs: [stub("World", "stubbed")], faults: down });
    await expect(greet(fake)).rejects.toMatchObject({ code: "UNAVAILABLE", message: "down" });
    expect(fake.log.records).toMatchObject([{ outcome: "UNAVAILABLE", message: "down", responses: [] }]);
  });

  it("rejects requests that break the contract's rules, even if a stub matches", async () => {
    const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
    const stubs: readonly Stub[] = [{ operation: getCustomer.id, response: { id: 1 } }];
    const client = memoryClient(() => createFake({ contract, stubs }).service);
    const broken: MessageInitShape<typeof getCustomer.input> = { id: -1 };
    await expect(client.prepare(getCustomer)(create(getCustomer.input, broken))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  it.each([
    ["a stub", { stubs: [{ ...stub("x", "y"), operation: "SayHelo" }] }],
    ["a stub's request", { stubs: [{ ...stub("x", "y"), when: { nam: "x" } }] }],
    ["a handler", { handlers: new Map([["roundtrip.v1.HelloService.SayHelo", () => create(SayHelloRequestSchema)]]) }],
  ])("rejects %s that the contract does not know", (_what, options) => {
    expect(() => createFake({ contract, ...options })).toThrow(/Hel|nam/);
  });
});

describe("a session", () => {
  it("is made in a turn of its own if many begin at once", async () => {
    const fake = createFake({ contract });
    const names = Array.from({ length: 100 }, (_, index) => `session ${index}`);
    const answers = names.map((name) => greet(fake, "World", name));
    // All that goes on without the event loop has gone on.
    await new Promise<void>((resolve) => {
      process.nextTick(() => process.nextTick(resolve));
    });
    expect(fake.sessions.names.length).toBeLessThan(20);
    await Promise.all(answers);
    expect(fake.sessions.names.toSorted()).toEqual(names.toSorted());
  });

  it("has its own stub sequences and log", async () => {
    const fake = createFake({ contract, stubs: [stub("World", "first", "second")] });
    expect(await greet(fake, "World", "a")).toBe("first");
    expect(await greet(fake, "World", "a")).toBe("second");
    expect(await greet(fake, "World", "b")).toBe("first");
    expect(fake.session("a").log.records).toHaveLength(2);
    expect(fake.session("b").log.records).toHaveLength(1);
    expect(fake.log.records.map(({ session }) => session)).toEqual(["a", "a", "b"]);
  });

  it("keeps as many calls as configured, and counts the dropped ones", async () => {
    const fake = createFake({ contract, logLimits: { maxRecords: 2, maxBytes: 1_000_000 } });
    for (const name of ["a", "b", "c"]) await greet(fake, name);
    expect(fake.log.records.map(({ requests }) => requests)).toEqual([[{ name: "b" }], [{ name: "c" }]]);
    expect(fake.log.dropped).toBe(1);
  });

  it("restarts when it is reset, and other sessions do not", async () => {
    const fake = createFake({ contract, stubs: [stub("World", "first", "second")] });
    for (const session of ["a", "b"]) await greet(fake, "World", session);
    fake.reset("a");
    expect(fake.session("a").log.records).toEqual([]);
    expect(await greet(fake, "World", "a")).toBe("first");
    expect(await greet(fake, "World", "b")).toBe("second");
    fake.reset();
    expect(fake.log.records).toEqual([]);
    expect(await greet(fake, "World", "b")).toBe("first");
  });

  it("keeps its own options when the fake's change, loses them when it is reset, and refuses what does not fit", async () => {
    const fake = createFake({ contract, stubs: [stub("World", "before")] });
    fake.session("a").use({ stubs: [stub("World", "only here")] });
    expect(() => fake.session("a").use({ stubs: [{ ...stub("x", "y"), operation: "SayHelo" }] })).toThrow(/SayHello/);
    fake.replace({ stubs: [stub("World", "after")] });
    expect(await greet(fake, "World", "a")).toBe("only here");
    expect(await greet(fake, "World", "b")).toBe("after");
    fake.session("a").use({ faults: down });
    await expect(greet(fake, "World", "a")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    fake.session("a").reset();
    expect(await greet(fake, "World", "a")).toBe("after");
  });

  it("is removed if it is the least recently used of too many", async () => {
    const fake = createFake({ contract });
    for (let number = 1; number <= maxSessions; number += 1) fake.session(String(number));
    await greet(fake, "World", "1");
    await greet(fake, "World", "one more");
    expect(fake.sessions.names).toHaveLength(maxSessions);
    expect(fake.sessions.names).toContain("1");
    expect(fake.sessions.names).not.toContain("2");
  });

  it("has a name of limited length", async () => {
    const fake = createFake({ contract });
    await expect(greet(fake, "World", "x".repeat(257))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const [download] = contract.operations.filter(({ kind }) => kind === "server_streaming");
    const longName = new ServerCall(undefined, new Map([[sessionMetadataName, "x".repeat(257)]]));
    const chunks = fake.service.stream(download ?? sayHello, only(create(SayHelloRequestSchema)), longName);
    await expect(Array.fromAsync(chunks)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(fake.sessions.names).toEqual([]);
  });

  it("is not created by a reset", () => {
    const fake = createFake({ contract });
    fake.reset("nobody");
    expect(fake.sessions.names).toEqual([]);
  });
});

describe("replacing", () => {
  it("applies new stubs, faults and handlers from the next call, and keeps the log", async () => {
    const fake = createFake({ contract, stubs: [stub("World", "before")] });
    expect(await greet(fake)).toBe("before");
    fake.replace({ stubs: [stub("World", "after")] });
    expect(await greet(fake)).toBe("after");
    fake.replace({ faults: down });
    await expect(greet(fake)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    fake.replace({ faults: noFaults });
    expect(await greet(fake)).toBe("after");
    expect(fake.log.records.map(({ outcome }) => outcome)).toEqual(["OK", "OK", "UNAVAILABLE", "OK"]);
  });

  it("keeps the previous options if the new ones do not fit", async () => {
    const fake = createFake({ contract, stubs: [stub("World", "before")] });
    const replace = () => fake.replace({ stubs: [{ ...stub("World", "after"), operation: "SayHelo" }] });
    expect(replace).toThrow(
      expect.objectContaining({ name: "FakeError", code: "unknown-operation" } satisfies Partial<FakeError>),
    );
    expect(await greet(fake)).toBe("before");
  });

  it("lets a call in flight finish with the previous options", async () => {
    const { promise: asked, resolve: hear } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<{ message: string }>();
    const handlers = fakeHandlers(HelloService, {
      sayHello: () => {
        hear();
        return answered;
      },
    });
    const fake = createFake({ contract, handlers });
    const call = greet(fake);
    await asked;
    fake.replace({ handlers: fakeHandlers(HelloService, { sayHello: { message: "after" } }) });
    expect(await greet(fake)).toBe("after");
    answer({ message: "before" });
    expect(await call).toBe("before");
  });

  it("keeps sessions, their logs and what fits of their own options after a contract change, with another service", async () => {
    const fake = createFake({ contract });
    const before = fake.service;
    fake.session("").use({ stubs: [stub("World", "gone")], faults: down });
    await expect(greet(fake)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const { resets, undo } = fake.replace({ contract: conformanceContract() });
    expect(resets).toMatchObject([
      { names: ["stub", "stubs"], count: 1, why: expect.stringMatching(/SayHello/) as string },
    ]);
    expect(fake.session("").own).toEqual({ stubs: [], faults: down });
    expect(fake.log.records.map(({ outcome }) => outcome)).toEqual(["UNAVAILABLE"]);
    expect(fake.service).not.toBe(before);
    expect(fake.contract.operations.map(({ id }) => id)).toContain("roundtrip.conformance.v1.ConformanceService.Echo");
    // The previous service still answers its callers, and is there again when the change is undone.
    await expect(
      memoryClient(() => before).prepare(sayHello)(create(SayHelloRequestSchema, { name: "x" })),
    ).rejects.toMatchObject({ code: "UNAVAILABLE" });
    undo();
    expect(fake.service).toBe(before);
    expect(fake.session("").own.stubs).toHaveLength(1);
  });

  it("keeps the listeners of the log", async () => {
    const fake = createFake({ contract });
    const heard: string[] = [];
    const stop = fake.log.onRecord(({ operation }) => heard.push(operation));
    await greet(fake);
    fake.replace({ seed: 2 });
    await greet(fake, "World", "another");
    stop();
    await greet(fake);
    expect(heard).toEqual([sayHello.id, sayHello.id]);
  });
});
