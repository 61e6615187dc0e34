// What a call can be relied on for on every stack, beyond the conformance cases: words, details and timing of its end.
import {
  CallError,
  canonicalCodes,
  isCanonicalCode,
  type CanonicalCode,
  type Client,
  type Metadata,
} from "@roundtrip/contract";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { abortedHandler, opened } from "./support/aborted-handler.ts";
import { caught } from "./support/caught.ts";
import { hello, helloService } from "./support/hello.ts";
import { keptPair, pairOf } from "./support/pair.ts";
import { stacksUnderTest } from "./support/stacks-under-test.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);

const details = {
  reason: "SOME_REASON",
  domain: "example.com",
  metadata: { key: "välue", __proto__x: "" },
  violations: [
    { field: "customer.name", description: "too long", reason: "string.max_len" },
    { field: "customer.id", description: "wrong", reason: "int32.gt" },
  ],
};

const errorMessage = 'no — "naïve" 100 %25 #1\n\u{1F600} ';

describe.each(stacksUnderTest())("$name", ({ name: stackName }) => {
  describe("errors", () => {
    const service = helloService(({ name }) => {
      const [code = "", kind] = name.split(" ");
      throw new CallError(code as CanonicalCode, errorMessage, kind === "bare" ? {} : details);
    });
    let clients: readonly Client[];
    beforeAll(async () => {
      const pairs = await Promise.all([false, true].map((tls) => keptPair(stackName, service, { tls })));
      clients = pairs.map(({ client }) => client);
      return () => Promise.all(pairs.map(({ close }) => close()));
    });

    test.each(Object.keys(canonicalCodes).filter(isCanonicalCode))(
      "an error %s arrives with its code, message and details, over plain TCP and TLS",
      async (code) => {
        const detailed = new CallError(code, errorMessage, details);
        const bare = new CallError(code, errorMessage);
        for (const client of clients) {
          for (const [kind, expected] of Object.entries({ detailed, bare })) {
            const error = await caught(hello(client, `${code} ${kind}`));
            expect([error.code, error.message]).toEqual([code, errorMessage]);
            expect(error.details).toStrictEqual(expected.details);
          }
        }
      },
    );
  });

  test("an error of a handler that is not a CallError stays inside the server", async () => {
    const service = helloService(() => {
      throw new Error("the database password is swordfish");
    });
    const { client } = await pairOf(stackName, service);
    const error = await caught(hello(client, "x"));
    expect([error.code, error.message]).toEqual(["INTERNAL", "internal error"]);
  });

  test("a handler that answers later, or fails later, is waited for", async () => {
    const service = helloService(async ({ name }) => {
      await sleep(1);
      if (name === "fail") throw new CallError("ABORTED", "later");
      return "later";
    });
    const { client } = await pairOf(stackName, service);
    expect(await hello(client, "x")).toBe("later");
    expect((await caught(hello(client, "fail"))).code).toBe("ABORTED");
  });

  test("a deadline fails the call on both sides", async () => {
    const { service, begun, reason } = abortedHandler();
    const { client } = await pairOf(stackName, service);
    await opened(client);
    const handler = { hasBegun: false };
    void begun.then(() => (handler.hasBegun = true));
    // On a busy machine the time may be over before the server has the call.
    for (let timeoutMs = 100; !handler.hasBegun; timeoutMs *= 4) {
      const error = await caught(hello(client, "x", { timeoutMs }));
      expect([error.code, error.message]).toEqual(["DEADLINE_EXCEEDED", "deadline exceeded"]);
    }
    // The client's disconnect and the server's own timer race: either one aborts the handler.
    expect((await reason).code).toMatch(/^(DEADLINE_EXCEEDED|CANCELLED)$/);
  });

  test("no work begins for a call whose deadline has passed, and a distant deadline has no effect", async () => {
    const { client } = await pairOf(stackName, greeting);
    expect((await caught(hello(client, "x", { timeoutMs: 0 }))).code).toBe("DEADLINE_EXCEEDED");
    for (const timeoutMs of [60_000.5, 2 ** 31 + 1_000_000, 2 ** 45, Infinity]) {
      expect(await hello(client, "x", { timeoutMs })).toBe("Hello, x!");
    }
  });

  test("an aborted call fails as CANCELLED on both sides", async () => {
    const { service, begun, reason } = abortedHandler();
    const { client } = await pairOf(stackName, service);
    const { signal, abort } = aborter();
    const call = caught(hello(client, "x", { signal }));
    await begun;
    abort();
    const { code, message } = await call;
    expect([code, message]).toEqual(["CANCELLED", "the caller cancelled the call"]);
    expect((await reason).code).toBe("CANCELLED");
    expect((await caught(hello(client, "x", { signal }))).code).toBe("CANCELLED");
  });
});

describe("a handler that has answered never sees its signal abort", () => {
  const timeoutMs = 1_000;
  const signals = new Map<string, AbortSignal>();

  /** Calls with and without a deadline, and keeps the signal of the first. */
  async function callOver(stackName: string): Promise<void> {
    const service = helloService(async (_request, { signal }) => {
      if (!signals.has(stackName)) signals.set(stackName, signal);
      await sleep(1);
      return "done";
    });
    const { client, close } = await keptPair(stackName, service, {});
    closing.push(close);
    await hello(client, "x", { timeoutMs });
    await hello(client, "x");
  }
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    for (const { name } of stacksUnderTest()) await callOver(name);
    // All stacks wait at once.
    await sleep(timeoutMs + 20);
    return () => Promise.all(closing.map((close) => close()));
  });

  test.each(stacksUnderTest())("$name", ({ name }) => {
    expect(signals.get(name)?.aborted).toBe(false);
  });
});

function aborter(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** The floor carries none. */
const withMetadata = stacksUnderTest().filter(({ style }) => style !== "floor");

test.each(withMetadata)(
  "metadata arrives under any name, of request and answer, on $name",
  async ({ name: stackName }) => {
    const service = helloService((_request, { metadata, answerMetadata }) => {
      answerMetadata.set("constructor", "answered");
      return metadata.get("constructor") ?? "nothing";
    });
    const { client } = await pairOf(stackName, service);
    const received: (string | undefined)[] = [];
    const onMetadata = (metadata: Metadata): void => void received.push(metadata.get("constructor"));
    const answer = await hello(client, "x", { metadata: new Map([["constructor", "asked"]]), onMetadata });
    expect([answer, received]).toEqual(["asked", ["answered"]]);
  },
);
