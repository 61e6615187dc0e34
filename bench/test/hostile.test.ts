// What somebody who means harm can do to a running server, and who notices: nobody else.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attackedStacks, attacks, withstand } from "../fuzz/hostile/hostile.ts";
import { served, type Served } from "../fuzz/served.ts";

describe.each(attackedStacks)("%s", (stackName) => {
  let target: Served;
  beforeAll(async () => {
    target = await served(stackName);
  });
  afterAll(() => target.close());

  const here = attacks.filter(({ stackNames }) => stackNames.includes(stackName));
  test.each(here.map((attack) => ({ name: attack.name, attack })))("$name", async ({ attack }) => {
    const { politeCalls } = await withstand(attack, target);
    expect(politeCalls).toBeGreaterThan(0);
  });
});
