// `roundtrip tasks`: a day of logs becomes tasks and arrivals that `bench` measures.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readRun } from "@roundtrip/runner";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const proto = `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
service Shop {
  rpc GetThing(GetThingRequest) returns (Thing) { option (google.api.http) = { get: "/v1/things/{id}" }; }
  rpc ListThings(ListThingsRequest) returns (ListThingsResponse) { option (google.api.http) = { get: "/v1/things" }; }
  rpc CreateThing(Thing) returns (Thing) { option (google.api.http) = { post: "/v1/things" body: "*" }; }
  rpc Login(LoginRequest) returns (Thing) { option (google.api.http) = { get: "/v1/login" }; }
}
message Thing { string id = 1; string name = 2; }
message GetThingRequest { string id = 1; }
message ListThingsRequest { int32 page_size = 1; string page_token = 2; }
message ListThingsResponse { repeated Thing things = 1; string next_page_token = 2; }
message LoginRequest { string user = 1; string password = 2; }
`;

const cwd = emptyFolder();

const time = (second: number): string =>
  `12/May/2025:09:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")} +0000`;
const line = (second: number, request: string, status = 200): string =>
  `192.0.2.7 - - [${time(second)}] "${request} HTTP/1.1" ${status} 512 "-" "shop/1"\n`;

/** Writes a log, makes tasks of it, and reads them. */
async function made(name: string, text: string | Buffer, ...flags: readonly string[]) {
  writeFileSync(join(cwd, name), text);
  const out = `${name}.tasks.yaml`;
  const outcome = await run(["tasks", name, "--contract", "shop.proto", "--out", out, ...flags], { cwd });
  const textOf = (path: string): string => (existsSync(join(cwd, path)) ? readFileSync(join(cwd, path), "utf8") : "");
  const written = textOf(out);
  const file = (written === "" ? {} : parse(written)) as {
    readonly tasks?: readonly {
      readonly calls: number;
      readonly mix: readonly { operation: string; share: number; requests: readonly unknown[] }[];
    }[];
  };
  const momentsMs = textOf(`${name}.tasks.arrivals.txt`)
    .split("\n")
    .filter((one) => /^\d/.test(one))
    .map(Number);
  return { ...outcome, written, mix: file.tasks?.[0]?.mix ?? [], calls: file.tasks?.[0]?.calls, momentsMs };
}

/** An entry of a HAR file. */
const entry = (ms: number, url: string, text?: string) => ({
  startedDateTime: new Date(1_747_040_400_000 + ms).toISOString(),
  request: {
    method: text === undefined ? "GET" : "POST",
    url,
    headers: [{ name: "Authorization", value: "Bearer x" }],
    ...(text === undefined ? {} : { postData: { mimeType: "application/json", text } }),
  },
  response: { status: 200 },
});

beforeAll(() => writeFileSync(join(cwd, "shop.proto"), proto));

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

  it("groups what it cannot map, names the nearest path, and prints no query", async () => {
    const { stdout } = await made(
      "odd.log",
      [
        line(0, "GET /v1/things/1"),
        line(0, "GET /v1/thing/1?access_token=hunter2"),
        line(0, "GET /v1/thing/2?access_token=hunter2"),
        line(1, "GET /v1/things?page_size=many"),
        line(1, "GET /.env"),
        line(2, "GET /v1/things/9", 503),
        "not a request\n",
      ].join(""),
    );
    expect(stdout).toContain("2  GET /v1/thing/*; nearest: GET /v1/things/{id} (GetThing)");
    expect(stdout).toContain('1  GET /v1/things: page_size: cannot be "many"');
    expect(stdout).toContain("1  GET /.env\n");
    expect(stdout).toContain("Left out: 1 request answered with an error");
    expect(stdout).toContain("Left out: 1 line in no known form");
    expect(stdout).not.toContain("hunter2");
  });

  it("never writes secrets, page tokens or what a terminal would execute", async () => {
    const { stdout, written, mix } = await made(
      "secret.log",
      [
        line(0, "GET /v1/login?user=ada&password=hunter2"),
        line(0, "GET /v1/things?page_size=2&page_token=abc123"),
        line(0, String.raw`GET /\x1b[31mred`),
      ].join(""),
    );
    expect(mix.find(({ operation }) => operation === "Login")?.requests).toEqual([
      { user: "ada", password: expect.not.stringContaining("hunter2") },
    ]);
    expect(`${written}${stdout}`).not.toMatch(/hunter2|abc123/);
    expect(stdout).not.toContain("\u001B");
    expect(stdout).toContain("Left out: the field password of Login: a secret");
    expect(stdout).toContain(
      "Left out: the field page_token of ListThings: a position in the data of the server that wrote the log",
    );
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
    [["."], "cannot read the log .: it is not a file"],
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

describe("bench", () => {
  it("replays a recorded day, and reports each operation", async () => {
    const text = Array.from({ length: 40 }, (_, index) =>
      line(index % 2, index % 4 === 0 ? "GET /v1/things?page_size=5" : `GET /v1/things/${index % 3}`),
    ).join("");
    await made("played.log", text, "--speed", "4");
    const { status, stdout, stderr } = await run(
      [
        "bench",
        "--contract",
        "shop.proto",
        "--tasks",
        "played.log.tasks.yaml",
        "--arrivals",
        "played.log.tasks.arrivals.txt",
        "--stack",
        "rest-express",
        "--rounds",
        "1",
        "--warm-up",
        "50ms",
        "--budget",
        "40s",
        "--full",
        "--out",
        "played",
      ],
      { cwd },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toContain("each operation of the mix");
    expect(stdout).toMatch(/GetThing, REST/);
    const { facts, samples } = await readRun(join(cwd, "played"));
    const rest = facts.arms.find(({ stack }) => stack === "rest-express");
    expect(rest).toMatchObject({ variant: "mix", callsPerTask: 1, load: { pacer: "recorded" } });
    expect(new Set(rest?.mix)).toEqual(new Set(["shop.v1.Shop.GetThing", "shop.v1.Shop.ListThings"]));
    expect(samples.outcomes.filter((outcome) => outcome !== "OK")).toEqual([]);
  });

  it("says what makes tasks of a log", async () => {
    writeFileSync(join(cwd, "access.log"), line(0, "GET /v1/things/1"));
    const { status, stderr } = await run(["bench", "--contract", "shop.proto", "--tasks", "access.log"], { cwd });
    expect([status, stderr]).toEqual([
      64,
      expect.stringContaining('access.log is a log, not a file of tasks: "roundtrip tasks access.log'),
    ]);
    const fromLog = await run(["bench", "--contract", "shop.proto", "--tasks", "from-log"], { cwd });
    expect(fromLog).toMatchObject({
      status: 64,
      stderr:
        'roundtrip: cannot read the tasks in from-log: no such file or directory; "roundtrip tasks LOG --out FILE" makes a file of tasks of a log\n',
    });
  });
});
