// `export k6`: what it writes and says, and what it does not do.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal, printed } from "./support/outcomes.ts";

interface Plan {
  readonly studies: readonly string[];
  readonly servers: readonly { readonly id: string; readonly usual: string }[];
  readonly arms: readonly {
    readonly facts: { readonly stack: string; readonly variant: string; readonly target?: string };
  }[];
  readonly rounds: readonly {
    readonly planHash: string;
    readonly cells: readonly {
      readonly armId: string;
      readonly tasks: number;
      readonly arrivalsMs: readonly number[] | null;
    }[];
  }[];
}

function planIn(folder: string): Plan {
  return JSON.parse(readFileSync(join(folder, "plan.json"), "utf8")) as Plan;
}

describe("export k6", () => {
  it("writes what k6 needs for all three styles, and says how long that takes", async () => {
    const cwd = emptyFolder();
    const stdout = printed(await run(["export", "k6", "hello", "facade", "--out", "k6"], { cwd }));
    expect(stdout).toMatch(
      /^k6: 6 rounds of 97 arms in 148 cells, \d+ min of k6 each; k6\/README\.md says how to run it\n$/,
    );
    expect(readdirSync(join(cwd, "k6")).toSorted()).toEqual([
      "README.md",
      "calls.binpb",
      "calls.js",
      "plan.json",
      "script.js",
    ]);
    const { studies, servers, arms } = planIn(join(cwd, "k6"));
    expect(studies.toSorted()).toEqual(["facade", "hello"]);
    expect(servers.map(({ id }) => id)).toEqual(["grpc-js", "graphql-apollo", "rest-express"]);
    expect(new Set(arms.map(({ facts }) => facts.variant))).toEqual(
      new Set(["single", "facade", "chatty", "chatty-parallel", "together"]),
    );
  });

  it("knows servers that run elsewhere, and leaves out what writes there", async () => {
    const cwd = emptyFolder();
    const target = "rest-express=https://api.example.com";
    const args = ["export", "k6", "facade", "--stack", "rest-express", "--target", target, "--out"];
    const { status, stderr } = await run([...args, "spared"], { cwd });
    expect(status).toBe(0);
    expect(stderr).toContain("left out: writes to a server that is not the run's own (--disposable measures it)");
    const { servers, arms } = planIn(join(cwd, "spared"));
    expect(servers.map(({ usual }) => usual)).toEqual(["https://api.example.com"]);
    expect(new Set(arms.map(({ facts }) => facts.target))).toEqual(new Set(["https://api.example.com"]));
    const all = await run([...args, "all", "--disposable"], { cwd });
    expect(all).toMatchObject({ status: 0, stderr: "" });
    expect(planIn(join(cwd, "all")).arms.length).toBeGreaterThan(arms.length);
  });

  it.each([
    [["export", "jmeter", "hello", "--out", "x"], 'unknown engine "jmeter" (valid: k6)'],
    [["export", "k6", "helo", "--out", "x"], 'did you mean "hello"'],
    [["export", "k6", "hello"], "give --out DIRECTORY, for example --out k6"],
    [["export", "k6"], "studies"],
    [["export", "k6", "network-windows", "--out", "x"], "k6 cannot run any of this: "],
    [
      ["export", "k6", "hello", "--set", "grpc-js.requestCompression=gzip", "--stack", "grpc-js", "--out", "x"],
      "k6 cannot run any of this: 1 arm (hello over gRPC (requestCompression=gzip)) left out: k6 does not have the settings of Roundtrip's own client (requestCompression)",
    ],
  ])("says in a line what is wrong with %j", async (args, message) => {
    expect(refusal(await run(args))).toContain(message);
  });
});
