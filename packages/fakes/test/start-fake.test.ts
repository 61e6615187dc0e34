// A fake in a test: one call starts it, clients of every style call it, and it closes with the test.
import { create } from "@bufbuild/protobuf";
import { builtInContract, typedClient } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import { ConformanceService } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { HelloService, SayHelloRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { expectCalls, expectRoundTripsAtMost } from "../src/log/expect-calls.ts";
import { startFake } from "../src/fake/start-fake.ts";
import type { Stub } from "../src/stubs/stub-schema.ts";

const contract = builtInContract();
const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
const styles = ["graphql-apollo", "grpc-js", "rest-express"] as const;

function greeting(...messages: readonly string[]): Stub {
  const answers = messages.map((message) => ({ response: { message } }) as const);
  return { operation: sayHello.id, answers };
}

async function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: hostname, port: Number(port) });
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

describe("startFake", () => {
  it.each([...styles, "memory"])("can be called over %s by changing one word", async (stack) => {
    await using fake = await startFake(contract, { stacks: styles, stubs: [greeting("Hello from the fake")] });
    const hello = typedClient(HelloService, await fake.connect(stack));
    expect(await hello.sayHello({ name: "World" })).toMatchObject({ message: "Hello from the fake" });
    expect(expectCalls(fake.log, HelloService.method.sayHello, { request: { name: "World" } })).toHaveLength(1);
    expect(() => expectRoundTripsAtMost(fake.log, 1)).not.toThrow();
  });

  it("has one state for all styles", async () => {
    await using fake = await startFake(contract, { stubs: [greeting("first", "second", "third", "fourth")] });
    const heard: unknown[] = [];
    for (const stack of [...styles, "memory"]) {
      const client = await fake.connect(stack);
      heard.push(await client.prepare(sayHello)(create(SayHelloRequestSchema, { name: "World" })));
    }
    expect(heard).toMatchObject(["first", "second", "third", "fourth"].map((message) => ({ message })));
  });

  it("closes with the test", async () => {
    let urls: readonly string[] = [];
    {
      await using fake = await startFake(contract, { stacks: ["grpc-js", "rest-express"] });
      urls = Object.values(fake.urls);
      await fake.connect("grpc-js");
      expect(await Promise.all(urls.map(isListening))).toEqual([true, true]);
    }
    expect(await Promise.all(urls.map(isListening))).toEqual([false, false]);
  });

  it("uses TLS with clients that trust its certificate", async () => {
    await using fake = await startFake(contract, { stacks: ["rest-express"], tls: true, stubs: [greeting("safe")] });
    expect(fake.urls["rest-express"]).toMatch(/^https:/);
    expect(fake.ca).toContain("BEGIN CERTIFICATE");
    const hello = typedClient(HelloService, await fake.connect("rest-express"));
    expect(await hello.sayHello({ name: "World" })).toMatchObject({ message: "safe" });
  });

  it("names the available stacks if another is asked for", async () => {
    await using fake = await startFake(contract, { stacks: ["grpc-js"] });
    await expect(fake.connect("rest-express")).rejects.toThrow("use one of memory, grpc-js");
  });

  it("closes all servers if one cannot start", async () => {
    await using fake = await startFake(contract, { stacks: ["rest-express"] });
    const taken = Number(new URL(fake.urls["rest-express"] ?? "").port);
    const again = startFake(contract, { stacks: ["grpc-js", "rest-express"], ports: { "rest-express": taken } });
    await expect(again).rejects.toMatchObject({ name: "StackError" });
  });
});

describe("another contract", () => {
  it.each(styles)("replaces the previous one over %s", async (stack) => {
    await using fake = await startFake(contract, { stacks: [stack] });
    await fake.replace({ contract: conformanceContract() });
    const client = typedClient(ConformanceService, await fake.connect(stack));
    expect((await client.echo({})).$typeName).toBe("roundtrip.conformance.v1.EchoResponse");
    const before = typedClient(HelloService, await fake.connect(stack));
    await expect(before.sayHello({ name: "World" })).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
  });
});

describe("sessions of a fake that runs", () => {
  it("can be a hundred in parallel, with separate logs and stub sequences", async () => {
    const sequences = ["first", "second", "third"];
    await using fake = await startFake(contract, { stubs: [greeting(...sequences)] });
    const stacks = [...styles, "memory"];
    const test = async (number: number): Promise<void> => {
      const session = fake.session(`test ${number}`);
      const hello = typedClient(HelloService, await session.connect(stacks[number % stacks.length] ?? ""));
      for (const position of sequences) {
        expect((await hello.sayHello({ name: `caller ${number}` })).message).toBe(position);
      }
      expect(session.log.records.map(({ requests }) => requests)).toEqual(
        sequences.map(() => [{ name: `caller ${number}` }]),
      );
    };
    await Promise.all(Array.from({ length: 100 }, (_, number) => test(number)));
    expect(fake.log.records).toHaveLength(300);
  });
});

it("takes styles for their usual stacks", async () => {
  const selected = { stacks: ["rest"], settings: { rest: { fieldNames: "contract" } } } as const;
  await using fake = await startFake(contract, selected);
  expect(Object.keys(fake.urls)).toEqual(["rest-express"]);
  await expect(fake.connect("rest")).resolves.toBeDefined();
  await expect(fake.connect("grpc")).rejects.toThrow('the fake is not served by "grpc"');
  await expect(fake.connect("rst")).rejects.toThrow('unknown stack "rst"; did you mean "rest"?');
});

it.each([{ stacks: ["rst"] }, { ports: { rst: 0 } }, { settings: { rst: {} } }])(
  "proposes a stack for an unknown one: %j",
  async (given) => {
    await expect(startFake(contract, given)).rejects.toThrow('unknown stack "rst"; did you mean "rest"?');
  },
);
