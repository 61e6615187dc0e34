// What a call can be relied on for on every stack, beyond the conformance cases: its signal after the answer, and its metadata.
import type { Metadata } from "@roundtrip/contract";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { hello, helloService, keptPair, pairOf, stacksUnderTest } from "./support/pair.ts";

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
