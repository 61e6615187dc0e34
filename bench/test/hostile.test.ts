// What somebody who means harm can do to a running server, and who notices: nobody else.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attacksOn, usuallyAttacked, withstand } from "../fuzz/hostile/hostile.ts";
import { served, type Served } from "../fuzz/served.ts";

const attacked = await Promise.all(
  usuallyAttacked.map(async (stackName) => ({ stackName, attacks: await attacksOn(stackName) })),
);

describe.each(attacked)("$stackName", ({ stackName, attacks }) => {
  let target: Served;
  beforeAll(async () => {
    target = await served(stackName);
  });
  afterAll(() => target.close());

  const groups = attacks.map((together) => ({
    names: together.map(({ name }) => name).join("; "),
    together,
  }));
  test.each(groups)("$names", async ({ together }) => {
    const { politeCalls } = await withstand(together, target);
    expect(politeCalls).toBeGreaterThan(0);
  });
});
