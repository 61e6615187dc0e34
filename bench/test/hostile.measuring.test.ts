// What somebody who means harm can do to a running server, and who notices: nobody else. `pnpm fuzz hostile` attacks every server, several times.
import { describe, expect, test } from "vitest";
import { attacksOn, withstand } from "../fuzz/hostile/hostile.ts";
import { PoliteCaller } from "../fuzz/polite-caller.ts";
import { served } from "../fuzz/served.ts";
import { usualStyleStacks } from "../fuzz/style-stacks.ts";

/** Every attack on one server, on a machine that has other things to do. */
const timeoutMs = 300_000;

// An attack mostly waits for limits of its server: other servers are attacked meanwhile.
describe.concurrent("the default server of a style", () => {
  test.for(usualStyleStacks)(
    "answers well-behaved callers during every attack: %s",
    { timeout: timeoutMs },
    async (stackName) => {
      const target = await served(stackName);
      const caller = await PoliteCaller.of(stackName, target.url);
      try {
        for (const together of await attacksOn(stackName)) {
          // oxlint-disable-next-line no-await-in-loop -- one server is attacked by those that go together at a time
          const { politeCalls } = await withstand(together, target, caller);
          const attacks = together.map(({ name }) => name);
          expect({ attacks, politeCalls }).toSatisfy(() => politeCalls > 0);
        }
      } finally {
        await caller.close();
        await target.close();
      }
    },
  );
});
