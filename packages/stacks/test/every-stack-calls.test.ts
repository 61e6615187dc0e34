// What a call can be relied on for on every stack, beyond the conformance cases: words, details and timing of its end.
import { CallError, canonicalCodes, isCanonicalCode, type Metadata } from "@roundtrip/contract";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { coveringStacks } from "../src/index.ts";
import { abortedHandler, opened } from "./support/aborted-handler.ts";
import { caught } from "./support/caught.ts";
import { hello, helloService } from "./support/hello.ts";
import { pairOf } from "./support/pair.ts";

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

describe.each(coveringStacks())("$name", ({ name: stackName }) => {
  test.each(Object.keys(canonicalCodes).filter(isCanonicalCode))(
    "an error %s arrives with its code, message and details, over plain TCP and TLS",
    async (code) => {
      const thrown = new CallError(code, 'no — "naïve" 100 %25 #1\n\u{1F600} ', details);
      const bare = new CallError(code, thrown.message);
      const service = helloService(({ name }) => {
        throw name === "bare" ? bare : thrown;
      });
      for (const tls of [false, true]) {
        const { client } = await pairOf(stackName, service, { tls });
        for (const [name, expected] of Object.entries({ detailed: thrown, bare })) {
          const error = await caught(hello(client, name));
          expect([error.code, error.message]).toEqual([expected.code, expected.message]);
          expect(error.details).toStrictEqual(expected.details);
        }
      }
    },
  );

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
    const { service, reason } = abortedHandler();
    const { client } = await pairOf(stackName, service);
    await opened(client);
    const error = await caught(hello(client, "x", { timeoutMs: 100 }));
    expect([error.code, error.message]).toEqual(["DEADLINE_EXCEEDED", "deadline exceeded"]);
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

  test("a handler that has answered never sees its signal abort", async () => {
    let signal: AbortSignal | undefined;
    const service = helloService(async (_request, context) => {
      ({ signal } = context);
      await sleep(1);
      return "done";
    });
    const { client } = await pairOf(stackName, service);
    await hello(client, "x");
    const timeoutMs = 1_000;
    await hello(client, "x", { timeoutMs });
    await sleep(timeoutMs + 20);
    expect(signal?.aborted).toBe(false);
  });
});

function aborter(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** The floor carries none. */
const withMetadata = coveringStacks().filter(({ style }) => style !== "floor");

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
