// The client in memory behaves as a client with a socket: the conformance suite, and closing.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import { conformanceCases, conformanceSession, defaultCaseLimitMs } from "@roundtrip/conformance";
import { SayHelloRequestSchema, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { realService } from "@roundtrip/service";
import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { inProcessSubject } from "../../conformance/test/support/in-process-subject.ts";
import { memoryClient } from "@roundtrip/stacks/memory";

const contract = builtInContract();

/** A service in the same process does not stop before its callers. */
const ofStoppedServers: ReadonlySet<string> = new Set(["RT-0802", "RT-0803", "RT-1117"]);
const cases = conformanceCases
  .filter(({ id }) => !ofStoppedServers.has(id))
  .map((testCase) => ({ name: `[${testCase.id} ${testCase.level}] ${testCase.title}`, testCase }));

describe("a client in memory", () => {
  const session = conformanceSession({
    contract,
    subject: inProcessSubject(realService(contract)),
    caseLimitMs: defaultCaseLimitMs,
  });
  afterAll(() => session.close());

  it.each(cases)("$name", async ({ testCase }) => {
    const { status, detail } = await session.run(testCase);
    expect(status === "skip" ? "" : detail).toBe("");
  });
});

describe("closing a client in memory", () => {
  it("waits for calls in flight, and fails later calls", async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<Message>();
    const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
    const service = serviceOf(contract, new Map([[sayHello.id, () => answered]]));
    const client = memoryClient(() => service);
    const call = client.prepare(sayHello)(create(SayHelloRequestSchema, { name: "World" }));
    let isClosed = false;
    const closing = client.close().then(() => (isClosed = true));
    await setImmediate();
    expect(isClosed).toBe(false);
    await expect(client.prepare(sayHello)(create(SayHelloRequestSchema))).rejects.toMatchObject({ code: "CANCELLED" });
    answer(create(SayHelloResponseSchema, { message: "Hello" }));
    expect(await call).toMatchObject({ message: "Hello" });
    await closing;
  });
});
