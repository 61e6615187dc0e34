// The server in Go of examples/targets: it answers as this project's servers do, and the commands of its page measure it.
import { builtInContract, CallError, type Client } from "@roundtrip/contract";
import { allStacks, connectDefaults, loadConnect } from "@roundtrip/stacks";
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { findBuf } from "../src/contract/run-buf.ts";
import { builtTarget, goEnvironment, goFolder, startGoTarget } from "./support/go-target.ts";
import { compareOneRound } from "./support/one-round.ts";
import {
  answersBeside,
  asServed,
  callOf,
  connected,
  expectConformance,
  shortBench,
  pageCommands,
  targetCalls,
  wordsOf,
} from "./support/target-answers.ts";
import type { Target } from "./support/target.ts";

const [buf, ...first] = findBuf();
const contract = builtInContract();
const matrix = { size: 100, elements: Array.from({ length: 10_000 }, (_, at) => ((at * 7919) % 97) / 4_800) };

/** The clients that a server of each kind is called by. Connect servers speak gRPC too. */
const calledBy = allStacks().flatMap(({ name, style, isDefault }) =>
  isDefault && ["rest", "grpc", "connect"].includes(style) ? [[style, name] as const] : [],
);
const reached = [...calledBy, ["connect", "grpc-js"] as const];

const calls: typeof targetCalls = [
  ...targetCalls,
  ["MatrixService.Power", { matrix: { size: 2, elements: [0.1, -0.2, 1 / 3, 1e-9] }, exponent: 5 }],
  ["MatrixService.Power", { matrix, exponent: 9 }],
  ["MatrixService.Power", { matrix: { size: 2, elements: [1] }, exponent: 2 }],
];
const commands = pageCommands(goFolder);

async function codeOf(ended: Promise<unknown>): Promise<string> {
  try {
    await ended;
    return "OK";
  } catch (thrown) {
    return CallError.from(thrown).code;
  }
}

/** Resolves when a power of a moment has to wait, though a greeting does not. Closes the client. */
async function untilBusy(client: Client): Promise<void> {
  const call = callOf(client);
  const brief = { timeoutMs: 150 };
  for (let codes = ""; codes !== "OK DEADLINE_EXCEEDED";) {
    const greeting = codeOf(call("HelloService.SayHello", { name: "World" }, brief));
    const power = codeOf(call("MatrixService.Power", { matrix: { size: 1, elements: [1] }, exponent: 1 }, brief));
    // oxlint-disable-next-line no-await-in-loop
    codes = (await Promise.all([greeting, power])).join(" ");
  }
  await client.close();
}

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

  it("serves each style on loopback", () => {
    expect(Object.keys(target.urls)).toEqual(["rest", "grpc", "connect"]);
    for (const url of Object.values(target.urls)) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it.each(reached)(
    "gives the answers and errors of this project's service (%s, called by %s)",
    async (style, stack) => {
      await using fresh = await startGoTarget(program, style);
      const { answers, expected } = await answersBeside(stack, fresh.urls[style], calls);
      expect(answers).toEqual(expected);
    },
  );

  it("passes every conformance case that a running server can, by the commands of its page", async () => {
    const conform = commands.filter((command) => command.includes(" -s conform "));
    const called: string[] = [];
    for (const command of conform) {
      // oxlint-disable-next-line no-await-in-loop
      called.push(...(await expectConformance(asServed(command, target.urls), 81)));
    }
    expect(called.toSorted()).toEqual(reached.map(([, stack]) => stack).toSorted());
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
        .replace(/^node packages/, `"${process.execPath}" "${join(goFolder, "../../../packages")}`)
        .replace("roundtrip.js", 'roundtrip.js"'),
    );
    const { comparison, stderr } = await compareOneRound([...words, "--study", "hello", "--quiet"], {});
    expect(stderr).toMatch(/^Stopping; what was measured is kept\. [^\n]*\n$/);
    expect(comparison.cells.length).toBeGreaterThan(0);
  });

  it("starts by the command of its page, without a build before it", async () => {
    const [command = ""] = commands;
    const [name = "", ...args] = wordsOf(command.replace("examples/targets/go", goFolder).replace("8080", "0"));
    await using started = await startGoTarget(name, ...args);
    expect(Object.keys(started.urls)).toEqual(["rest", "grpc", "connect"]);
  });

  it.each([
    ["grpc", "grpc"],
    ["connect", "grpc"],
    ["connect", "grpcweb"],
    ["connect", "connect"],
  ])("describes itself by reflection, and reports its health (%s by %s)", async (style, protocol) => {
    const call = (method: string): Promise<{ readonly stdout: string }> => {
      const version = protocol === "grpc" ? ["--http2-prior-knowledge"] : [];
      const args = ["curl", "--protocol", protocol, ...version, "--reflect-protocol", "grpc-v1", "-d", "{}"];
      // Reflection is a stream in both directions, which HTTP/1.1 does not carry.
      const withReflection = protocol === "grpc" ? args : [...args, "--http2-prior-knowledge"];
      return promisify(execFile)(buf, [...first, ...withReflection, `${target.urls[style]}/${method}`]);
    };
    expect(JSON.parse((await call("grpc.health.v1.Health/Check")).stdout)).toEqual({ status: "SERVING" });
    const { stdout } = await call("roundtrip.v1.CustomerService/ListCustomers");
    expect(stdout).toContain("Wilhelmina van der Bergh-Oosterhuizen.");
  });

  it.each([
    ["GET", "/v1/customers/1:changeId", {}, 405, "OPTIONS, POST"],
    ["POST", "/v1/customers/1", {}, 405, "DELETE, GET, HEAD, OPTIONS, PATCH"],
    ["OPTIONS", "/v1/hello", {}, 204, "GET, HEAD, OPTIONS"],
    ["HEAD", "/v1/hello?name=World", { "x-request-timeout-ms": "999999999999999" }, 200, null],
    ["GET", "/v1/hello?name=World", { "x-request-timeout-ms": "" }, 400, null],
    ["GET", "/v1/hello?name=World&name=You", {}, 400, null],
    ["GET", "/v2/hello", {}, 404, null],
  ])("answers over REST as HTTP asks: %s %s %j", async (method, path, headers, status, allow) => {
    const response = await fetch(`${target.urls["rest"]}${path}`, { method, headers });
    const verbs = response.headers.get("allow")?.split(", ").toSorted().join(", ") ?? null;
    const isProblem = response.headers.get("content-type") === "application/problem+json";
    expect([response.status, verbs, isProblem]).toEqual([status, allow, status >= 400]);
    await response.body?.cancel();
  });

  it.each(["grpc", "connect"])("reads compressed requests over gRPC (%s)", async (style) => {
    const open = await loadConnect("grpc-js");
    const settings = { requestCompression: "gzip" };
    const url = target.urls[style] ?? "";
    const client = await open(contract, { ...connectDefaults, url, ca: undefined, settings });
    const name = "a".repeat(150);
    expect(await callOf(client)("HelloService.SayHello", { name })).toMatchObject({ message: `Hello, ${name}!` });
    await client.close();
  });

  it("finishes calls in flight when it is interrupted, and then ends", async () => {
    await using started = await startGoTarget(program, "--matrix-threads", String(calledBy.length));
    const clients = await Promise.all(calledBy.map(([style, stack]) => connected(stack, started.urls[style])));
    const powers = (exponent: number) =>
      Promise.all(clients.map((client) => callOf(client)("MatrixService.Power", { matrix, exponent })));
    await Promise.all(clients.map((client) => callOf(client)("HelloService.SayHello", { name: "World" })));
    // About a second, on a busy machine too: the server cuts off what lasts five.
    const began = performance.now();
    await powers(90);
    const slow = powers(Math.ceil((90 * 1_000) / (performance.now() - began)));
    // Once all threads compute, the calls have arrived, and another one waits.
    const [style = "", stack = ""] = calledBy[0] ?? [];
    await untilBusy(await connected(stack, started.urls[style]));
    const ended = started.end();
    expect((await slow).length).toBe(calledBy.length);
    await Promise.all(clients.map((client) => client.close()));
    expect(await ended).toBe(0);
  });

  it.each([
    [["soap"], 'unknown style "soap"; known are rest, grpc and connect'],
    [["--port", "70000"], "port must be 0 to 65533, got 70000"],
    [["--matrix-threads", "0"], "matrix-threads must be at least 1, got 0"],
  ])("refuses %j", (args, message) => {
    expect(spawnSync(program, args, { encoding: "utf8", env: goEnvironment })).toMatchObject({
      status: 64,
      stderr: `roundtrip-target: ${message}\n`,
    });
  });
});
