// `bench --target`: servers that run already, of which only the clients are this program's.
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { analyse, type Warning } from "@roundtrip/analysis";
import type { RunFacts } from "@roundtrip/runs";
import { readRun } from "@roundtrip/runs/read";
import { childrenOf } from "./support/child-processes.ts";
import { emptyFolder, start, until, type Outcome, listening } from "./support/run-program.ts";
import { served, type Served } from "./support/served.ts";
import { run } from "./support/shared-program.ts";
import { hasRound } from "./support/one-round.ts";

let servers: Served;
beforeAll(async () => {
  servers = await served("rest-express", "grpc-js", "floor");
});
afterAll(() => servers[Symbol.asyncDispose]());

function target(stack: string): readonly string[] {
  return ["--target", `${stack}=${servers.urls[stack]}`];
}

const short = ["--rounds", "1", "--calls", "10", "--out", "run"];

interface Measured {
  readonly outcome: Outcome;
  readonly facts: RunFacts;
  readonly warnings: readonly Warning[];
  readonly stacks: readonly string[];
}

async function measured(...args: readonly string[]): Promise<Measured> {
  const cwd = emptyFolder();
  const outcome = await run(["bench", ...args, ...short], { cwd });
  expect(outcome).toMatchObject({ status: 0 });
  const { facts, samples } = await readRun(join(cwd, "run"));
  const { warnings } = analyse(facts, samples);
  return { outcome, facts, warnings, stacks: [...new Set(facts.arms.map(({ stack }) => stack))].toSorted() };
}

function messages({ warnings }: Measured, code: string): readonly string[] {
  return warnings.filter((warning) => warning.code === code).map(({ message }) => message);
}

/** A REST server of hello that does not greet as agreed. */
async function otherGreeter(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end('{"message":"Hoi, World!"}');
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `rest-express=${await listening(server)}`;
}

describe("servers that run already", () => {
  it("are measured alone, with the floor that is among them, and the run says whose they were", async () => {
    const done = await measured("hello", ...target("rest-express"), ...target("floor"));
    const { outcome, facts, stacks } = done;
    const [rest, floor] = [servers.urls["rest-express"], servers.urls["floor"]];
    expect(stacks).toEqual(["floor", "rest-express"]);
    expect(facts.arms.map((arm) => arm.target)).toEqual([rest, floor]);
    expect(facts.environment.targets).toMatchObject([
      { stack: "rest-express", url: rest },
      { stack: "floor", url: floor },
    ]);
    expect(facts.environment.placement).not.toContain("servers");
    expect(messages(done, "not-restarted")[0]).toBe(
      `REST (target) at ${rest}: server not restarted between rounds: variation between its starts is not in the intervals; its CPU time is not known`,
    );
    expect(messages(done, "no-floor")).toEqual([]);
    expect(outcome.stderr).toContain(`Measuring hello over REST at ${rest}, TCP echo at ${floor}:`);
    expect(outcome.stdout).toMatch(/^REST \(target\)†? .*\d$/m);
    expect(outcome.stdout).not.toContain("server CPU");
  });

  it("may stand beside stacks that are served here, which have a floor and a CPU time", async () => {
    const done = await measured("hello", "--stack", "rest-express", ...target("grpc-js"));
    const { facts, stacks } = done;
    expect(stacks).toEqual(["floor", "grpc-js", "in-process", "rest-express"]);
    const cpuOf = facts.blocks.map(({ armId, serverCpuMs }) => [armId.split("/")[2], serverCpuMs !== null]);
    expect(Object.fromEntries(cpuOf)).toMatchObject({ floor: true, "grpc-js": false, "rest-express": true });
    expect(messages(done, "mixed-places")).toHaveLength(1);
  });

  it("are written to when they are said to be disposable", async () => {
    await using own = await served("rest-express");
    const done = await measured("facade", "--disposable", "--target", `rest-express=${own.urls["rest-express"]}`);
    expect([...new Set(done.facts.arms.map(({ id }) => id.split("/")[1]))]).toEqual(["read", "write", "read-payload"]);
    expect(messages(done, "left-out")).toEqual([]);
  });
});

async function refusal(...args: readonly string[]): Promise<Outcome & { readonly left: readonly string[] }> {
  const cwd = emptyFolder();
  const outcome = await run(["bench", "hello", ...args, ...short, "--quiet"], { cwd });
  expect(outcome.stdout).toBe("");
  expect(outcome.stderr).toMatch(/^roundtrip: [^\n]+\n$/);
  return { ...outcome, left: readdirSync(cwd) };
}

describe("no number is given for a target", () => {
  it("that answers otherwise than another", async () => {
    const args = ["bench", "hello", "--target", await otherGreeter(), ...target("grpc-js"), ...short, "--quiet"];
    // In a process of its own, which has to end though the target would keep the connections.
    const { status, stdout, stderr } = await start(args).ended;
    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(stderr).toContain('do not answer alike: "message" is "Hoi, World!" and "Hello, World!"; no number is given');
  });

  it("whose URL holds a secret, which is shown nowhere", async () => {
    const url = (servers.urls["rest-express"] ?? "").replace("//", "//me:geheim@");
    const { status, stderr, left } = await refusal("--target", `rest-express=${url}`);
    expect({ status, left }).toEqual({ status: 64, left: [] });
    expect(stderr).toBe(
      "roundtrip: the URL of rest-express has a user name or password, which no client sends: remove it\n",
    );
  });
});

it("a target that goes away while it is measured is reported, after a report of what was measured before", async () => {
  await using own = await served("rest-express");
  const cwd = emptyFolder();
  const url = own.urls["rest-express"];
  const endless = ["--rounds", "1000", "--calls", "500", "--out", "run"];
  const bench = start(["bench", "hello", "--target", `rest-express=${url}`, ...endless], { cwd });
  await until(() => (hasRound(join(cwd, "run")) ? true : undefined));
  own.running.signal("SIGKILL");
  const { status, stdout, stderr } = await bench.ended;
  expect(status).toBe(69);
  expect(stdout).toContain("! This run failed after");
  expect(stderr).toMatch(/into run\nroundtrip: [^\n]*(no answer|no longer answers|UNAVAILABLE)[^\n]*\n$/);
  expect(childrenOf(bench.pid)).toEqual([]);
});
