// The server in Go of examples/targets: it answers as this project's servers do, and the commands of its page measure it.
import { allStacks } from "@roundtrip/stacks";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { builtTarget, goFolder, startGoTarget } from "./support/go-target.ts";
import { compareOneRound } from "./support/one-round.ts";
import {
  asServed,
  conformCommands,
  expectConformance,
  describedByReflection,
  shortBench,
  pageCommands,
} from "./support/target-answers.ts";
import type { Target } from "./support/target.ts";

/** The clients that a server of each kind is called by. Connect servers speak gRPC too. */
const calledBy = allStacks().flatMap(({ name, style, isDefault }) =>
  isDefault && ["rest", "grpc", "connect"].includes(style) ? [[style, name] as const] : [],
);
const reached = [...calledBy, ["connect", "grpc-js"] as const];

const commands = pageCommands(goFolder);

describe("the server in Go", await needing("go"), () => {
  let program = "";
  let target: Target;
  beforeAll(async () => {
    program = await builtTarget();
    target = await startGoTarget(program);
  }, 600_000);
  afterAll(async () => {
    await target?.[Symbol.asyncDispose]();
  });

  it("passes every conformance case of what it serves that a running server can, by the commands of its page", async () => {
    const called: string[] = [];
    for (const command of conformCommands(commands)) {
      // oxlint-disable-next-line no-await-in-loop
      called.push(...(await expectConformance(asServed(command, target.urls), 81)));
    }
    expect(called.toSorted()).toEqual(reached.map(([, stack]) => stack).toSorted());
  });

  it("gives its contract by reflection", async () => {
    expect(await describedByReflection(target.urls["grpc"])).toContain("GET /v1/customers/{id}");
  });

  it.each(commands.filter((command) => command.includes(" -s bench ")))(
    "does what its page shows: %s",
    async (command) => {
      expect(await shortBench(asServed(command, target.urls))).toEqual({ status: 0, stderr: "", agreed: true });
    },
  );

  it("is compared with this project's servers by the command of its page", { timeout: 400_000 }, async () => {
    const [command = ""] = commands.filter((one) => one.includes(" -s compare "));
    const words = asServed(command, target.urls).map((word) =>
      word
        .replace("examples/targets/go/roundtrip-target", `"${program}"`)
        .replace(/^cmd=node packages/, `cmd="${process.execPath}" "${join(goFolder, "../../../packages")}`)
        .replace("roundtrip.js", 'roundtrip.js"'),
    );
    const { comparison, stderr } = await compareOneRound([...words, "--study", "hello", "--quiet"], {});
    expect(stderr).toMatch(/^Stopping; what was measured is kept\. [^\n]*\n$/);
    expect(comparison.cells.length).toBeGreaterThan(0);
  });
});
