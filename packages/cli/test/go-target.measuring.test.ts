// The server in Go of examples/targets: it answers as this project's servers do, and the commands of its page measure it.
import { create, toJson, type Message } from "@bufbuild/protobuf";
import { builtInContract, CallError, ServerCall, type CallOptions, type Client } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { allStacks, connectDefaults, loadConnect } from "@roundtrip/stacks";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "shell-quote";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { findBuf } from "../src/contract/find-buf.ts";
import { builtTarget, goEnvironment, goFolder, startTarget, type GoTarget } from "./support/go-target.ts";
import { compareOneRound } from "./support/one-round.ts";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const [buf, ...first] = findBuf();
const contract = builtInContract();
const matrix = { size: 100, elements: Array.from({ length: 10_000 }, (_, at) => ((at * 7919) % 97) / 4_800) };

/** The clients that a server of each kind is called by. Connect servers speak gRPC too. */
const calledBy = allStacks().flatMap(({ name, style, isDefault }) =>
  isDefault && ["rest", "grpc", "connect"].includes(style) ? [[style, name] as const] : [],
);
const reached = [...calledBy, ["connect", "grpc-js"] as const];

/** Calls whose answers do not depend on the time. Later ones see the changes of earlier ones. */
const calls: readonly (readonly [method: string, request: Request])[] = [
  ["HelloService.SayHello", { name: "日本 𝔘 é" }],
  ["HelloService.SayHello", { name: "" }],
  ["CustomerService.GetCustomer", { id: 1 }],
  ["CustomerService.GetCustomer", { id: 120, readMask: { paths: ["mail", "phone_number"] } }],
  ["CustomerService.GetCustomer", { id: 1, readMask: { paths: ["shoe_size", "name"] } }],
  ["CustomerService.GetCustomer", { id: 121 }],
  ["CustomerService.GetCustomer", { id: -1 }],
  ["CustomerService.ListCustomers", { pageSize: 7, pageToken: "YWZ0ZXI6MTE2" }],
  ["CustomerService.ListCustomers", { pageSize: 1_001 }],
  ["CustomerService.ListCustomers", { pageToken: "YWZ0ZXI6MTE2=" }],
  ["CustomerService.CreateCustomer", { customer: { id: 0, phoneNumber: "call me", vatIdentificationNumber: "x" } }],
  ["CustomerService.CreateCustomer", {}],
  ["CustomerService.CreateCustomer", { customer: { id: 5_000, name: "Ada <&> Lovelace" } }],
  ["CustomerService.CreateCustomer", { customer: { id: 5_000 } }],
  ["CustomerService.UpdateCustomer", { customer: { id: 5_000, mail: "ada@example.com" } }],
  ["CustomerService.UpdateCustomer", { customer: { id: 5_000 }, updateMask: { paths: ["name"] } }],
  ["CustomerService.SetCustomerAddress", { id: 5_000, address: "12 St James's Square" }],
  ["CustomerService.SetCustomerName", { id: 5_000 }],
  ["CustomerService.SetCustomerId", { id: 5_000, newId: 1 }],
  ["CustomerService.SetCustomerId", { id: 5_000, newId: 5_001 }],
  ["CustomerService.DeleteCustomer", { id: 5_001 }],
  ["CustomerService.DeleteCustomer", { id: 5_001 }],
  ["MatrixService.Power", { matrix: { size: 2, elements: [0.1, -0.2, 1 / 3, 1e-9] }, exponent: 5 }],
  ["MatrixService.Power", { matrix, exponent: 9 }],
  ["MatrixService.Power", { matrix: { size: 2, elements: [1] }, exponent: 2 }],
];

/** What `conform --json` prints of a stack. */
interface Conformance {
  readonly stack: string;
  readonly results: readonly { readonly status: string }[];
}

interface Ended {
  readonly answer?: unknown;
  readonly error?: unknown;
}

type Request = Readonly<Record<string, unknown>>;
type Call = (method: string, request: Request, options?: CallOptions) => Promise<Message>;

async function outcomes(call: Call): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  for (const [method, request] of calls) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- calls see what earlier ones changed
      const message = await call(method, request);
      const { output } = contract.operation(`roundtrip.v1.${method}`);
      const {
        queueTime: _queue,
        serviceTime: _service,
        ...answer
      } = toJson(output, message) as Record<string, unknown>;
      ended.push({ answer });
    } catch (thrown) {
      const { code, message, details } = CallError.from(thrown);
      ended.push({ error: { code, message, details } });
    }
  }
  return ended;
}

function callOf(client: Client): Call {
  return (method, request, options) => {
    const operation = contract.operation(`roundtrip.v1.${method}`);
    return client.prepare(operation)(create(operation.input, request), options);
  };
}

async function connected(stack: string, url = ""): Promise<Client> {
  return (await loadConnect(stack))(contract, { ...connectDefaults, url, ca: undefined });
}

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

/** The commands of the page, without their first words. */
const commands = [...readFileSync(join(goFolder, "README.md"), "utf8").matchAll(/^```sh\n(.*?)^```/gms)].flatMap(
  ([, block = ""]) => block.trim().split("\n"),
);

function wordsOf(command: string): readonly string[] {
  return parse(command).map((word) => {
    if (typeof word === "string") return word;
    throw new Error(`the command needs a shell: ${command}`);
  });
}

describe("the server in Go", await needing("go"), () => {
  let program = "";
  let target: GoTarget;
  beforeAll(async () => {
    program = await builtTarget();
    target = await startTarget(program);
  }, 600_000);
  afterAll(async () => {
    await target?.[Symbol.asyncDispose]();
  });

  /** A command of the page, with the addresses of the running server. */
  function asServed(command: string): readonly string[] {
    const urls = { 8080: target.urls["rest"], 8081: target.urls["grpc"], 8082: target.urls["connect"] };
    const text = Object.entries(urls).reduce(
      (before, [port, url]) => before.replaceAll(`http://127.0.0.1:${port}`, url ?? ""),
      command,
    );
    return wordsOf(text.replace("npx -y pnpm@10 -s ", ""));
  }

  it("serves each style on loopback", () => {
    expect(Object.keys(target.urls)).toEqual(["rest", "grpc", "connect"]);
    for (const url of Object.values(target.urls)) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it.each(reached)(
    "gives the answers and errors of this project's service (%s, called by %s)",
    async (style, stack) => {
      const service = realService(contract);
      await using fresh = await startTarget(program, style);
      const client = await connected(stack, fresh.urls[style]);
      try {
        const expected = await outcomes(async (method, request) => {
          const operation = contract.operation(`roundtrip.v1.${method}`);
          return service.call(operation, create(operation.input, request), new ServerCall());
        });
        expect(await outcomes(callOf(client))).toEqual(expected);
      } finally {
        await client.close();
        await service.close();
      }
    },
  );

  it("passes every conformance case that a running server can, by the commands of its page", async () => {
    const byConnect = "conform --quiet --target connect=http://127.0.0.1:8082";
    const conform = commands.filter((command) => command.includes(" -s conform "));
    const called: string[] = [];
    for (const command of [...conform, byConnect]) {
      // oxlint-disable-next-line no-await-in-loop
      const { status, stdout, stderr } = await run([...asServed(command), "--json"]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      for (const { stack, results } of JSON.parse(stdout) as readonly Conformance[]) {
        called.push(stack);
        expect(results.filter((result) => result.status === "fail")).toEqual([]);
        expect(results.filter((result) => result.status === "pass").length).toBeGreaterThan(80);
      }
    }
    expect(called.toSorted()).toEqual(reached.map(([, stack]) => stack).toSorted());
  });

  it.each(commands.filter((command) => command.includes(" -s bench ")))(
    "does what its page shows: %s",
    async (command) => {
      const short = ["--rounds", "1", "--calls", "10", "--quiet", "--out", "run"];
      const cwd = emptyFolder();
      expect(await run([...asServed(command), ...short], { cwd })).toMatchObject({ status: 0, stderr: "" });
      const kept: unknown = JSON.parse(readFileSync(join(cwd, "run", "run.json"), "utf8"));
      expect(kept).toMatchObject({ verification: { agreed: true } });
    },
  );

  it("is compared with this project's servers by the command of its page", { timeout: 400_000 }, async () => {
    const [command = ""] = commands.filter((one) => one.includes(" -s compare "));
    const words = asServed(command).map((word) =>
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
    await using started = await startTarget(name, ...args);
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
    await using started = await startTarget(program, "--matrix-threads", String(calledBy.length));
    const clients = await Promise.all(calledBy.map(([style, stack]) => connected(stack, started.urls[style])));
    await Promise.all(clients.map((client) => callOf(client)("HelloService.SayHello", { name: "World" })));
    const slow = Promise.all(clients.map((client) => callOf(client)("MatrixService.Power", { matrix, exponent: 900 })));
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
