// `bench --contract`: a contract that Roundtrip has never seen is measured on its fake, or on servers that run already, with no code.
import { readRun } from "@roundtrip/runs/read";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal } from "./support/outcomes.ts";

const proto = `syntax = "proto3";
package shop.v1;
service Shop {
  rpc GetThing(GetThingRequest) returns (Thing);
  rpc ListThings(ListThingsRequest) returns (ListThingsResponse);
  rpc WatchThings(ListThingsRequest) returns (stream Thing);
}
message Thing { string id = 1; string name = 2; map<string, int64> stock = 3; }
message GetThingRequest { string id = 1; }
message ListThingsRequest { int32 page_size = 1; }
message ListThingsResponse { repeated Thing things = 1; }
`;

const tasks = `tasks:
  - name: shop
    compare: [things]
    variants:
      facade:
        - { operation: ListThings, request: { page_size: 4 } }
      list-then-each:
        - { operation: ListThings, request: { page_size: 4 }, as: list }
        - for-each: list.things
          as: thing
          at-once: true
          steps:
            - { operation: GetThing, request: { id: "\${thing.id}" }, into: things }
`;

const cwd = folderWith({ "shop.proto": proto, "tasks.yaml": tasks });
const short = ["--contract", "shop.proto", "--rounds", "1", "--calls", "4", "--warm-up", "50ms", "--budget", "40s"];

describe("bench --contract", () => {
  it("measures each call of the contract, served by its fake, and says what is left out", async () => {
    const { status, stderr } = await run(["bench", ...short, "--stack", "rest-express", "--out", "calls"], { cwd });
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr:
        "Left out: WatchThings: streams (a task file measures them)\n" +
        "Measuring contract over REST, TCP echo: up to 1 round within 40 s, into calls\n",
    });
    const { facts, samples } = await readRun(join(cwd, "calls"));
    expect(new Set(facts.arms.map(({ task, variant }) => `${task} ${variant}`))).toEqual(
      new Set(["GetThing single", "ListThings single"]),
    );
    expect(new Set(samples.outcomes)).toEqual(new Set(["OK"]));
    expect(facts.verification).toMatchObject({ responsesCompared: 4 });
  });

  it("measures the tasks of a file and compares their variants", async () => {
    const { status } = await run(
      ["bench", ...short, "--tasks", "tasks.yaml", "--stack", "grpc-js", "--out", "tasks", "--quiet"],
      { cwd },
    );
    expect(status).toBe(0);
    const { facts } = await readRun(join(cwd, "tasks"));
    const calls = facts.arms.map(({ stack, variant, callsPerTask }) => [stack, variant, callsPerTask]);
    expect(calls).toEqual(
      expect.arrayContaining([
        ["grpc-js", "facade", 1],
        ["grpc-js", "list-then-each", 5],
      ]),
    );
  });

  it("searches the load that a task carries, and measures around it", async () => {
    const load = ["load-calls", "--contract", "shop.proto", "--operations", "GetThing", "--stack", "rest-express"];
    const effort = ["--rounds", "1", "--calls", "60", "--load", "p99=5ms", "--warm-up", "50ms", "--budget", "40s"];
    const { status, stdout } = await run(["bench", ...load, ...effort, "--out", "load", "--quiet"], { cwd });
    expect(status).toBe(0);
    expect(stdout).toMatch(/With at most one GetThing call in a hundred above 5 ms: REST carried/);
    const { facts } = await readRun(join(cwd, "load"));
    const rates = facts.arms.flatMap(({ task, factors: { rateHz } }) =>
      rateHz === undefined ? [] : [{ task, rateHz }],
    );
    expect(new Set(rates.map(({ task }) => task))).toEqual(new Set(["GetThing"]));
    expect(rates.length).toBeGreaterThan(1);
    expect(facts.capacities).toMatchObject([{ study: "contract-load-calls", task: "GetThing", limitMs: 5 }]);
    expect(facts.capacities?.[0]?.probes.length).toBeGreaterThan(1);
  });

  it("measures callers of a call, from whose run predict takes the demands", async () => {
    const load = ["concurrency", "--operations", "GetThing", "--load", "callers=3,think=2"];
    const { status, stderr } = await run(
      ["bench", ...short, ...load, "--stack", "rest-express", "--out", "callers", "--quiet"],
      { cwd },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { facts } = await readRun(join(cwd, "callers"));
    const cells = facts.arms.map(({ study, task, variant, factors }) => [
      study,
      task,
      variant,
      factors["callers"],
      factors["thinkMs"],
    ]);
    expect(cells).toEqual([
      ["contract-concurrency", "GetThing", "single", 1, 0],
      ["contract-concurrency", "GetThing", "burst", 1, 0],
      ["contract-concurrency", "GetThing", "single", 1, 2],
      ["contract-concurrency", "GetThing", "single", 3, 0],
      ["contract-concurrency", "GetThing", "single", 3, 2],
    ]);
    const words = "predict --from callers --load callers=1,3,think=0,2 --what-if shared-client=yes --json";
    const predicted = await run(words.split(" "), { cwd });
    expect(predicted).toMatchObject({ status: 0, stderr: "" });
    const { tasks: predictions } = JSON.parse(predicted.stdout) as { readonly tasks: readonly unknown[] };
    expect(predictions).toHaveLength(1);
  });

  const mistakes: readonly (readonly [words: string, status: number, stderr: string])[] = [
    [
      "--contract shop.proto --operations WatchThings",
      64,
      "there is nothing to measure\nLeft out: WatchThings: streams (a task file measures them)",
    ],
    [
      "hello --operations SayHello",
      64,
      "hello measures operations of the built-in contract; for tasks of your own, choose of concurrency, load-calls, load-rates, or name no study",
    ],
    [
      "load-rates --operations SayHello",
      64,
      "load-rates of tasks of your own needs levels, such as --load rate=1,10,100",
    ],
    [
      "load-rates --load rate=50",
      64,
      "--load rate is for the study load-rates of tasks of your own (with --contract, --tasks or --operations); remove it, or name that study",
    ],
    [
      "--contract shop.proto load-rates --load rate=0",
      64,
      '--load "rate=0": rate must be up to 200 numbers of arrivals per second from 0.1 on, such as 50,100,200 (see roundtrip bench --help)',
    ],
    [
      "--tasks tasks.yaml",
      64,
      'tasks.yaml:6:13: tasks[0].variants.facade[0].operation: the contract has no operation "ListThings"',
    ],
    [
      "--contract shop.proto hello",
      64,
      "the study hello calls roundtrip.v1.HelloService.SayHello, which the contract in shop.proto does not have",
    ],
  ];

  it.each(mistakes)("%s is refused in one line", async (words, status, message) => {
    const outcome = await run(["bench", ...words.split(" ")], { cwd });
    expect(outcome).toEqual({ status, stdout: "", stderr: `roundtrip: ${message}\n` });
  });

  it("does not write to servers that are not its own, and says which of them do not answer", async () => {
    const target = ["--target", "rest-express=http://127.0.0.1:9"];
    // Without HTTP rules nothing says that a call changes nothing.
    const spared = await run(["bench", "--contract", "shop.proto", "--tasks", "tasks.yaml", ...target], { cwd });
    expect(spared).toMatchObject({ status: 64, stdout: "" });
    expect(spared.stderr).toContain("Left out: shop: may write (--disposable measures them)");
    const away = await run(["bench", "--contract", "shop.proto", "--disposable", ...target], { cwd });
    expect(refusal(away, 69)).toMatch(/^http:\/\/127\.0\.0\.1:9 does not answer over rest-express: UNAVAILABLE: /);
  });
});
