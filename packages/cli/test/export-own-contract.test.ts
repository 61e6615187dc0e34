// `export k6 --contract`: a contract that Roundtrip has never seen, and its tasks, go to k6 and come home as a report; `bench --engine k6` of the same.
import { findK6 } from "@roundtrip/k6";
import { readRun } from "@roundtrip/runs/read";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { start, until, folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { printed } from "./support/outcomes.ts";

const proto = `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
service Shop {
  rpc GetThing(GetThingRequest) returns (Thing) { option (google.api.http) = { get: "/v1/things/{id}" }; }
  rpc ListThings(ListThingsRequest) returns (ListThingsResponse) { option (google.api.http) = { get: "/v1/things" }; }
  rpc WatchThings(ListThingsRequest) returns (stream Thing);
}
message Thing { string id = 1; string name = 2; map<string, int64> stock = 3; }
message GetThingRequest { string id = 1; }
message ListThingsRequest { int32 page_size = 1; repeated Thing like = 2; }
message ListThingsResponse { repeated Thing things = 1; }
`;

const tasks = `name: shop-window
tasks:
  - name: show-things
    compare: [things]
    variants:
      facade:
        - { operation: ListThings, request: { page_size: 3 } }
      list-then-each:
        - { operation: ListThings, request: { page_size: 3 }, as: list }
        - for-each: list.things
          as: thing
          at-once: true
          steps:
            - { operation: GetThing, request: { id: "\${thing.id}" }, into: things }
  - name: watch
    variants:
      stream:
        - { operation: WatchThings, request: { page_size: 3 } }
`;

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

const withK6 = await needing("k6");
const k6 = withK6.skip === true ? undefined : await findK6();

/** Resolves to the path of the results. Rejects if k6 is not there, or fails. @param addresses of the servers, by variable */
async function runExport(folder: string, addresses: Readonly<Record<string, string>>): Promise<string> {
  const results = "results-1.json";
  const usual = ["--quiet", "--no-usage-report", "--address", "127.0.0.1:0", "--out", `json=${results}`];
  const { PATH = "" } = process.env;
  await promisify(execFile)(k6?.path ?? "k6", ["run", "-e", `T0=${Date.now() + 3_000}`, ...usual, "script.js"], {
    cwd: folder,
    env: { PATH, HOME: folder, K6_VERSION: k6?.version, WARM_UP_MS: "100", ...addresses },
    timeout: 40_000,
  });
  return join(folder, results);
}

const cwd = folderWith({ "shop.proto": proto, "tasks.yaml": tasks });
const exported = ["export", "k6", "--contract", "shop.proto", "--seed", "7"];
const short = ["--rounds", "1", "--calls", "4"];

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

describe("k6 and a user's contract", withK6, () => {
  it("an export runs on its fake and comes home as a report", async () => {
    const args = [...exported, ...short, "--tasks", "tasks.yaml", "--stack", "grpc,rest", "--out", "there"];
    expect(await run(args, { cwd })).toMatchObject({ status: 0 });
    const folder = join(cwd, "there");
    const fake = start(["fake", "grpc-js", "rest-express", "--contract", "contract.binpb", "--json"], { cwd: folder });
    try {
      const addresses = await until(() => (fake.output().stdout.endsWith("\n") ? fake.output().stdout : undefined));
      const urls = JSON.parse(addresses) as Readonly<Record<string, string>>;
      const file = await runExport(folder, {
        GRPC_TARGET: urls["grpc-js"] ?? "",
        REST_URL: urls["rest-express"] ?? "",
      });
      const home = ["bench", "--import", file, "there", "--out", "home"];
      const stdout = printed(await run(home, { cwd }));
      expect(stdout).not.toBe("");
      const { facts, samples } = await readRun(join(cwd, "home"));
      expect(new Set(samples.outcomes)).toEqual(new Set(["OK"]));
      expect(new Set(facts.arms.map(({ study, stack }) => `${study} ${stack}`))).toEqual(
        new Set(["shop-window grpc-js", "shop-window rest-express"]),
      );
    } finally {
      fake.signal("SIGKILL");
      await fake.ended;
    }
  });

  it("bench --engine k6 measures the contract on its fake", async () => {
    const own = ["bench", "--contract", "shop.proto", "--tasks", "tasks.yaml", "--stack", "rest", "--engine", "k6"];
    const { status, stderr } = await run([...own, ...short, "--budget", "40s", "--out", "by-k6", "--quiet"], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { facts, samples } = await readRun(join(cwd, "by-k6"));
    expect(new Set(facts.arms.map(({ variant, callsPerTask }) => `${variant} ${callsPerTask}`))).toEqual(
      new Set(["facade 1", "list-then-each 4"]),
    );
    expect(new Set(samples.outcomes)).toEqual(new Set(["OK"]));
    expect(facts.environment.generators).toEqual([{ name: "k6", version: k6?.version, segment: "0:1" }]);
  });
});
