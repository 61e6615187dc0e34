// What a process runs when its modules were made one program before the run: the same code, which behaves as it does from its sources.
import { builtInContract, CallError } from "@roundtrip/contract";
import { connectDefaults, loadConnect, loadStack, serveDefaults, stackNames } from "@roundtrip/stacks";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { bundledPrograms, Child, processFile } from "../src/parts.ts";
import type { ServerStart, ServerStarted, ServiceSource } from "../src/processes/messages.ts";
import { bundleProgram } from "../src/programs/bundle-program.ts";
import { serviceHere } from "./support/short-run.ts";

const real: ServiceSource = { module: import.meta.resolve("@roundtrip/service"), factory: "realService" };
const doubtful: ServiceSource = {
  module: new URL("./support/doubtful-service.ts", import.meta.url).href,
  factory: "doubtfulService",
};
const contract = builtInContract();
const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");

function startOf(stack: string, service: ServiceSource): ServerStart {
  const { host } = serveDefaults;
  return {
    ask: "start",
    stack,
    host,
    settings: {},
    contract: { kind: "built-in" },
    service,
    services: {},
    tls: undefined,
  };
}

/** Calls a server process that runs this file, and ends it. */
async function answersOf(file: string, stack: string, service: ServiceSource, names: readonly string[]) {
  const server = new Child({ file, enter: [], label: `${stack} server` });
  onTestFinished(() => server.stop(0));
  const { url } = await server.ask<ServerStarted>(startOf(stack, service));
  const client = await (await loadConnect(stack))(contract, { ...connectDefaults, url });
  const call = client.prepare(sayHello);
  const answers: unknown[] = [];
  for (const name of names) {
    const request = { $typeName: sayHello.input.typeName, name };
    const { code, message } = await call(request as never).then(
      (answer) => ({ code: "OK", ...(answer as unknown as { readonly message: string }) }),
      (thrown: unknown) => CallError.from(thrown),
    );
    answers.push({ code, message });
  }
  await client.close();
  return answers;
}

/** The files that a process has loaded by its end. */
async function filesLoadedBy(file: string, question: object): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), "roundtrip-loaded-"));
  const [list, hooks] = [join(directory, "list.json"), join(directory, "hooks.mjs")];
  writeFileSync(
    hooks,
    `import { registerHooks } from "node:module";
import { writeFileSync } from "node:fs";
const urls = new Set();
registerHooks({ load(url, context, next) { urls.add(url); return next(url, context); } });
process.on("exit", () => writeFileSync(${JSON.stringify(list)}, JSON.stringify([...urls])));`,
  );
  const child = fork(file, [], { execArgv: ["--import", hooks], serialization: "advanced" });
  const exit = once(child, "exit");
  const answer = once(child, "message");
  child.send(question);
  expect((await answer)[0]).toMatchObject({ ok: true });
  child.disconnect();
  expect(await exit).toEqual([0, null]);
  const urls = JSON.parse(readFileSync(list, "utf8")) as readonly string[];
  return urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
}

describe.each(stackNames())("%s", (stack) => {
  it("has the modules in its programs that its processes load one by one, and no other stack's library", async () => {
    const libraries = await Promise.all(stackNames().map(async (name) => (await loadStack(name)).libraries));
    const { libraries: own } = await loadStack(stack);
    const foreign = [...new Set(libraries.flat())].filter((library) => !own.includes(library));
    const questions = {
      server: startOf(stack, real),
      client: { ask: "load", stack, contract: { kind: "built-in" } },
    } as const;
    for (const role of ["server", "client"] as const) {
      const { modules: bundled } = await bundleProgram({ role, stack, service: real.module });
      const fromSources = await filesLoadedBy(processFile(role), questions[role]);
      const other = fromSources.filter((file) => !bundled.includes(file) && !file.endsWith("hooks.mjs"));
      expect(other).toEqual([processFile(role)]);
      for (const library of foreign) {
        expect(bundled.filter((file) => file.includes(`/node_modules/${library}/`))).toEqual([]);
      }
    }
  });

  it("serves from its program alone, until somebody asks for more", async () => {
    const { programs, warnings } = await bundledPrograms({ stacks: [stack], targets: [], service: real.module });
    expect(warnings).toEqual([]);
    const file = programs.fileOf("server", stack);
    const loaded = await filesLoadedBy(file, startOf(stack, real));
    expect(loaded.filter((path) => !path.startsWith(join(file, "..")) && !path.endsWith("hooks.mjs"))).toEqual([]);
    expect(loaded.length).toBeLessThan(12);
  });
});

it("serves a user's service as its sources do: its errors keep their codes, its files are where they were", async () => {
  const { programs, warnings } = await bundledPrograms({
    stacks: ["grpc-js", "rest-express"],
    targets: ["rest-express"],
    service: doubtful.module,
  });
  expect(warnings).toEqual([]);
  const file = programs.fileOf("server", "grpc-js");
  expect(file).not.toBe(processFile("server"));
  expect(programs.fileOf("server", "rest-express")).toBe(processFile("server"));
  const names = ["World", "Moon", "x".repeat(10_000)];
  const answers = await answersOf(file, "grpc-js", doubtful, names);
  expect(answers).toEqual(await answersOf(processFile("server"), "grpc-js", doubtful, names));
  expect(answers).toMatchObject([
    { code: "OK", message: "doubtful-service.ts true" },
    { code: "NOT_FOUND", message: "there is no Moon" },
    // Told by the validation library, which is loaded for it.
    { code: "INVALID_ARGUMENT" },
  ]);
});

it("runs a service from its sources that computes what it loads, and says so", async () => {
  const folder = mkdtempSync(join(import.meta.dirname, "support", "computed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const module = join(folder, "service.ts");
  writeFileSync(module, 'const name = "../services.ts";\nexport const { moodyService } = await import(name);\n');
  const { programs, warnings } = await bundledPrograms({ stacks: ["floor"], targets: [], service: module });
  expect(warnings).toMatchObject([{ code: "not-bundled", message: expect.stringContaining(module) as string }]);
  expect(programs.fileOf("server", "floor")).toBe(processFile("server"));
  expect(programs.fileOf("client", "floor")).not.toBe(processFile("client"));
});

it("makes the same program of the same sources, and another of others", async () => {
  const source = { role: "server", stack: "floor", service: serviceHere("moodyService").module } as const;
  const [first, again, other] = await Promise.all([
    bundleProgram(source),
    bundleProgram(source),
    bundleProgram({ ...source, service: doubtful.module }),
  ]);
  expect(again.hash).toBe(first.hash);
  expect(other.hash).not.toBe(first.hash);
});
