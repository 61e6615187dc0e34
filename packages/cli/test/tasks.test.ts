// `roundtrip tasks`: a day of logs becomes tasks and arrivals that `bench` measures.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readRun } from "@roundtrip/runs/read";
import { run } from "./support/shared-program.ts";
import { cwd, entry, line, made } from "./support/tasks-of-log.ts";

describe("roundtrip tasks", () => {
  it("writes each operation with its share and requests, and the arrivals of the busiest seconds", async () => {
    const quiet = Array.from({ length: 60 }, (_, second) => line(second, "GET /v1/things?page_size=5"));
    const busy = Array.from({ length: 180 }, (_, index) => line(100 + (index % 3), `GET /v1/things/${index % 2}`));
    const { status, stdout, mix, calls, momentsMs, written } = await made("busy.log", [...quiet, ...busy].join(""));
    expect(status).toBe(0);
    expect(stdout).toContain(
      "240 requests in busy.log: 240 are calls of 2 operations\n  GetThing     75.0 %        180\n  ListThings   25.0 %         60\n",
    );
    expect(mix.map(({ operation, share }) => [operation, share])).toEqual([
      ["GetThing", 75],
      ["ListThings", 25],
    ]);
    expect(mix[1]?.requests).toEqual([{ pageSize: 5 }]);
    expect([...new Set(mix[0]?.requests.map((one) => JSON.stringify(one)))].toSorted()).toEqual([
      '{"id":"0"}',
      '{"id":"1"}',
    ]);
    // Whole seconds: moments within them are drawn, so that the edges of the window may miss a few.
    expect(momentsMs.length).toBeGreaterThan(170);
    expect(calls).toBe(Math.max(60, momentsMs.length));
    expect(momentsMs).toEqual(momentsMs.toSorted((one, other) => one - other));
    expect([momentsMs[0], Math.max(...momentsMs) < 3_000]).toEqual([0, true]);
    expect(written).toContain(`# ${momentsMs.length} arrivals: the busiest 3 s of 102 s`);
  });

  it("gives the same files for the same log, packed or not", async () => {
    const text = Array.from({ length: 500 }, (_, index) => line(index % 7, `GET /v1/things/${index}`)).join("");
    const [one, other] = [await made("same.log", text), await made("same.log.gz", gzipSync(text))];
    expect(other.mix).toEqual(one.mix);
    expect(other.momentsMs).toEqual(one.momentsMs);
    expect(one.stdout).toContain("Left out: of 1 operation, all requests but 20 drawn evenly");
  });

  it("completes requests without bodies by an example, and says so", async () => {
    const { mix, written } = await made(
      "post.log",
      line(0, "POST /v1/things") + line(1, "POST /shop.v1.Shop/GetThing"),
    );
    expect(mix.find(({ operation }) => operation === "CreateThing")?.requests[0]).toMatchObject({
      name: expect.any(String),
    });
    expect(written).toContain("# the log has a part of these requests; the rest is made up");
    expect(written).toContain("# the log does not have these requests: this one is made up");
  });

  it("reads bodies and moments of a HAR file", async () => {
    const entries = [
      entry(0, "https://shop.example/v1/things/7"),
      entry(250, "https://shop.example/v1/things", '{"id":"8","name":"lamp"}'),
      entry(900, "https://shop.example/graphql", '{"query":"mutation { getThing(input: {id: \\"9\\"}) { name } }"}'),
    ];
    const { mix, momentsMs, stderr } = await made("day.har", JSON.stringify({ log: { version: "1.2", entries } }));
    expect(stderr).toBe("");
    expect(mix.find(({ operation }) => operation === "CreateThing")?.requests).toEqual([{ id: "8", name: "lamp" }]);
    expect(mix.find(({ operation }) => operation === "GetThing")?.requests).toContainEqual({ id: "7" });
    expect(momentsMs.slice(0, 2)).toEqual([0, 250]);
  });

  it("reads the calls of a fake, and its recordings, which have no moments", async () => {
    const calls = [
      { operation: "shop.v1.Shop.GetThing", requests: [{ id: "7" }], responses: [{}], outcome: "OK", startedAt: 5 },
    ];
    expect((await made("calls.json", JSON.stringify(calls))).mix).toEqual([
      { operation: "GetThing", share: 100, requests: [{ id: "7" }] },
    ]);
    const recording = 'operation: shop.v1.Shop.GetThing\nwhen: { id: "7" }\nresponse: { id: "7" }\n';
    const { mix, momentsMs, stdout } = await made("recording.yaml", recording);
    expect(mix).toEqual([{ operation: "GetThing", share: 100, requests: [{ id: "7" }] }]);
    expect(momentsMs).toEqual([]);
    expect(stdout).toContain("The log has no times");
    const login = "operation: shop.v1.Shop.Login\nwhen: { user: ada }\nresponse: {}\n";
    expect((await made("login.yaml", login)).mix).toMatchObject([
      { requests: [{ user: "ada", password: expect.any(String) }] },
    ]);
  });

  it("finds paths below --base-path", async () => {
    const text = line(0, "GET /api/v1/things/1");
    const { status, stderr } = await made("below.log", text);
    expect([status, stderr]).toEqual([64, expect.stringContaining("--base-path names what comes before")]);
    expect((await made("below2.log", text, "--base-path", "/api/")).mix).toMatchObject([{ operation: "GetThing" }]);
  });

  it("overwrites nothing, because people change these files", async () => {
    const text = line(0, "GET /v1/things/1");
    await made("twice.log", text);
    const { status, stderr } = await made("twice.log", text);
    expect([status, stderr]).toEqual([64, expect.stringContaining("twice.log.tasks.yaml exists already")]);
  });

  it.each([
    [["nothing.log"], "cannot read the log nothing.log: no such file or directory"],
    [["."], "cannot read the log .: it is a directory, not a file"],
    [["broken.har"], "cannot read the log broken.har: it is no JSON"],
    [["empty.log"], "there are no tasks in empty.log: it has no requests in a known form (0 lines)"],
  ])("refuses %s in one line", async (logs, message) => {
    writeFileSync(join(cwd, "broken.har"), '{"log":{');
    writeFileSync(join(cwd, "empty.log"), "");
    const { status, stderr } = await run(["tasks", ...logs, "--contract", "shop.proto", "--out", "none.yaml"], { cwd });
    expect([status, stderr.trimEnd().split("\n").length]).toEqual([64, 1]);
    expect(stderr).toContain(message);
  });
});

it("bench replays a recorded day, and reports each operation", async () => {
  const text = Array.from({ length: 40 }, (_, index) =>
    line(index % 2, index % 4 === 0 ? "GET /v1/things?page_size=5" : `GET /v1/things/${index % 3}`),
  ).join("");
  await made("played.log", text, "--stretch", "speed=4");
  const files = "--contract shop.proto --tasks played.log.tasks.yaml --arrivals played.log.tasks.arrivals.txt";
  const effort = "--stack rest-express --rounds 1 --warm-up 50ms --budget 40s --out played";
  const { status, stderr } = await run(`bench ${files} ${effort}`.split(" "), { cwd });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const { stdout } = await run(["report", "played", "--format", "terminal"], { cwd });
  expect(stdout).toContain("each operation of the mix");
  expect(stdout).toMatch(/GetThing, REST/);
  const { facts, samples } = await readRun(join(cwd, "played"));
  const rest = facts.arms.find(({ stack }) => stack === "rest-express");
  expect(rest).toMatchObject({ variant: "mix", callsPerTask: 1, load: { pacer: "recorded" } });
  expect(new Set(rest?.mix)).toEqual(new Set(["shop.v1.Shop.GetThing", "shop.v1.Shop.ListThings"]));
  expect(samples.outcomes.filter((outcome) => outcome !== "OK")).toEqual([]);
});
