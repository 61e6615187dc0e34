// Random requests to every stack: some that never change, and some that are new with each commit. `pnpm fuzz:differential` makes more of them.
import { create } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { CallError } from "@roundtrip/contract";
import { describe, expect, inject, test } from "vitest";
import { differential } from "../fuzz/differential/differential.ts";
import { panelOf } from "../fuzz/differential/panel.ts";
import { usualStyleStacks } from "../fuzz/style-stacks.ts";

/** Far longer than the requests take, also on a busy machine. */
const limitMs = 60_000;
const ignore = (): void => {};

describe("every stack answers what the service answers", () => {
  test.each([
    { which: "requests that are the same each time", seed: 1 },
    { which: "requests that are new with each commit", seed: inject("commitSeed") },
  ])("to $which (seed $seed)", async ({ seed }) => {
    const { difference, requests } = await differential({
      stacks: usualStyleStacks,
      requests: 160,
      seed,
      limitMs,
      onProgress: ignore,
      onShrink: ignore,
    });
    expect(difference, `pnpm fuzz:differential --requests 160 --seed ${seed}`).toBeUndefined();
    expect(requests).toBe(160);
  });
});

test("a run makes as many requests as asked for, and no more", async () => {
  const reported: number[] = [];
  const onProgress = (done: number): void => void reported.push(done);
  const { requests } = await differential({
    stacks: usualStyleStacks,
    requests: 50,
    seed: 3,
    limitMs,
    onProgress,
    onShrink: ignore,
  });
  expect(requests).toBe(50);
  expect(reported).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

test("a request that SOAP cannot carry, with an error that it carries in part, is no difference", async () => {
  const contract = conformanceContract();
  const operation = contract.operations.find(({ id }) => id.endsWith("Look"));
  if (operation === undefined) throw new Error("the conformance contract has no operation Look");
  const panel = await panelOf(contract, ["soap-node-http"]);
  try {
    const { differences, beyond } = await panel.verdictOn({
      operation,
      requests: [create(operation.input, { colours: [3] })],
      metadata: new Map([["age", "1"]]),
      reply: { reads: Infinity, answers: [], error: new CallError("CANCELLED", "\u0000"), metadata: new Map() },
    });
    expect(differences).toEqual([]);
    expect(beyond).toMatchObject([{ style: "soap", limit: { compared: "nothing" } }]);
  } finally {
    await panel.close();
  }
});
