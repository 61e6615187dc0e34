// `export k6 --contract`: a contract that Roundtrip has never seen, and its tasks, as files for k6.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "./support/shared-program.ts";
import { shopWindowFolder } from "./support/shop-window.ts";

interface Plan {
  readonly studies: readonly string[];
  readonly servers: readonly { readonly stack: string; readonly usual: string; readonly token?: string }[];
  readonly arms: readonly {
    readonly facts: { readonly task: string; readonly stack: string; readonly variant: string };
    readonly steps: readonly { readonly requests: readonly number[] }[];
    readonly sets: readonly (readonly number[])[];
  }[];
  readonly requests: readonly unknown[];
}

const cwd = shopWindowFolder();
const exported = ["export", "k6", "--contract", "shop.proto", "--seed", "7"];

function planIn(folder: string): Plan {
  return JSON.parse(readFileSync(join(cwd, folder, "plan.json"), "utf8")) as Plan;
}

describe("export k6 --contract", () => {
  it("writes the requests that the contract's fake answers, and the command that serves it", async () => {
    const { status, stdout, stderr } = await run([...exported, "--out", "calls"], { cwd });
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: "Left out: WatchThings: streams (a task file measures them)\n",
    });
    expect(stdout).toMatch(/^calls: 6 rounds of 6 arms in \d+ cells/);
    const { studies, servers, arms } = planIn("calls");
    expect(studies).toEqual(["contract"]);
    expect(new Set(arms.map(({ facts }) => facts.task))).toEqual(new Set(["GetThing", "ListThings"]));
    // Each fake takes two ports more, for browsers and its page.
    expect(servers.map(({ usual }) => usual)).toEqual([
      "127.0.0.1:50051",
      "http://127.0.0.1:50054/graphql",
      "http://127.0.0.1:50057",
    ]);
    expect(readFileSync(join(cwd, "calls", "README.md"), "utf8")).toContain(
      "roundtrip fake grpc-js --contract contract.binpb --port 50051\n" +
        "roundtrip fake graphql-apollo --contract contract.binpb --port 50054\n" +
        "roundtrip fake rest-express --contract contract.binpb --port 50057\n",
    );
  });

  it("writes the steps of a task file, with the values of the answers and the calls at once, and names what k6 cannot do", async () => {
    const args = [...exported, "--tasks", "tasks.yaml", "--stack", "grpc,rest", "--out", "tasks"];
    const { status, stderr } = await run(args, { cwd });
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: "2 arms (shop-window watch over gRPC, REST) left out: k6 does not support streams\n",
    });
    const { studies, arms, requests } = planIn("tasks");
    expect(studies).toEqual(["shop-window"]);
    expect(new Set(arms.map(({ facts, sets }) => `${facts.stack} ${facts.variant} ${JSON.stringify(sets)}`))).toEqual(
      new Set([
        "grpc-js facade [[0]]",
        "grpc-js list-then-each [[0],[1,2,3]]",
        "rest-express facade [[0]]",
        "rest-express list-then-each [[0],[1,2,3]]",
      ]),
    );
    expect(JSON.stringify(requests)).not.toContain("${");
  });

  const mistakes: readonly (readonly [words: string, status: number, message: string])[] = [
    ["", 64, "name the studies to export, such as hello, or give --contract PATH for your own contract"],
    [
      "--contract shop.proto --set rest-express.keepAlive=false",
      64,
      '"roundtrip fake" serves your contract, and has no setting keepAlive: leave --set out',
    ],
  ];

  it.each(mistakes)("%s is refused in one line", async (words, status, message) => {
    const outcome = await run(["export", "k6", ...words.split(" ").filter((word) => word !== ""), "--out", "x"], {
      cwd,
    });
    expect(outcome).toEqual({ status, stdout: "", stderr: `roundtrip: ${message}\n` });
  });
});
