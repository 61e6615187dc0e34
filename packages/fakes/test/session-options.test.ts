// Stubs and faults of one session: other sessions go on as they are.
import { builtInContract, CallError, typedClient } from "@roundtrip/contract";
import { HelloService } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFake, type StartedFake } from "../src/fake/start-fake.ts";
import type { Stub } from "../src/stubs/stub-schema.ts";

const contract = builtInContract();

function greeting(...messages: readonly string[]): Stub {
  return {
    operation: "SayHello",
    when: {},
    answers: messages.map((message) => ({ response: { message } })),
  };
}

let fake: StartedFake;
beforeAll(async () => {
  fake = await startFake(contract, { stacks: [], stubs: [greeting("first", "second", "third")] });
});
afterAll(() => fake.close());

/** What a session answers; the code of an error. */
async function answer(session: string): Promise<string> {
  const hello = typedClient(HelloService, await fake.session(session).connect("memory"));
  try {
    return (await hello.sayHello({ name: "Ada" })).message;
  } catch (thrown) {
    return CallError.from(thrown).code;
  }
}

const unavailable = {
  faults: [
    {
      operation: "*",
      probability: 1,
      error: { code: "UNAVAILABLE", message: "", details: {} } as const,
    },
  ],
  latencies: [],
};

describe("a session", () => {
  it("has stubs of its own, before those of the fake", async () => {
    expect(await answer("other")).toBe("first");
    fake.session("a").use({ stubs: [greeting("only here")] });
    expect(await answer("a")).toBe("only here");
    expect(await answer("other")).toBe("second");
  });

  it("has a fault plan of its own, in place of that of the fake", async () => {
    fake.session("b").use({ faults: unavailable });
    expect(await answer("b")).toBe("UNAVAILABLE");
    fake.session("b").use({ faults: undefined });
    expect(await answer("b")).toBe("first");
  });

  it("keeps them when the fake's options change, and loses them when it is reset", async () => {
    fake.session("c").use({ stubs: [{ ...greeting("only here"), "when-headers": { "x-roundtrip-session": "c" } }] });
    await fake.replace({ stubs: [greeting("replaced")] });
    expect(await answer("c")).toBe("only here");
    expect(await answer("d")).toBe("replaced");
    fake.session("c").reset();
    expect(await answer("c")).toBe("replaced");
  });

  it("refuses what does not fit the contract, and changes nothing", async () => {
    fake.session("e").use({ stubs: [greeting("kept")] });
    expect(() => fake.session("e").use({ stubs: [{ ...greeting("x"), operation: "SayHelo" }] })).toThrow(/SayHello/);
    expect(() =>
      fake.session("e").use({ faults: { ...unavailable, latencies: [{ operation: "SayHelo", ms: 1 }] } }),
    ).toThrow(/SayHello/);
    expect(await answer("e")).toBe("kept");
  });
});
