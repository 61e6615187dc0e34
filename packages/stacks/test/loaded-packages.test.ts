// What is not measured is not in the process: each folder of a stack loads what it needs and no other stack's library.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { coveringStacks, loadStack, type ServerBinding, stackNames } from "../src/index.ts";

const recorder = new URL("support/record-packages.mjs", import.meta.url).href;

/** The packages that a fresh process has loaded by its end; `talk` says what it is asked in between. */
async function loadedBy(
  [file, ...args]: readonly [string, ...string[]],
  talk: (ask: (question: unknown) => Promise<unknown>) => Promise<void> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), "loaded-packages-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const packagesFile = join(directory, "packages.json");
  const child = fork(file, args, {
    execArgv: ["--import", recorder],
    env: { ...process.env, PACKAGES_FILE: packagesFile },
    serialization: "advanced",
  });
  const exit = once(child, "exit");
  await talk(async (question) => {
    const answer = once(child, "message");
    child.send(question as object);
    return (await answer)[0] as unknown;
  });
  if (child.connected) child.disconnect();
  expect(await exit).toEqual([0, null]);
  return JSON.parse(readFileSync(packagesFile, "utf8")) as readonly string[];
}

function sourceFile(path: string): string {
  return fileURLToPath(new URL(`../src/${path}`, import.meta.url));
}

const libraries = new Map(
  await Promise.all(stackNames().map(async (name) => [name, (await loadStack(name)).libraries] as const)),
);
const allLibraries = new Set([...libraries.values()].flat());

/** The libraries of stacks that this one has no use for. */
function foreignTo(stackName: string): readonly string[] {
  const own = libraries.get(stackName) ?? [];
  return [...allLibraries].filter((library) => !own.includes(library));
}

const stacks = coveringStacks();
const servers = [...new Map(stacks.map((stack) => [`${stack.style}/servers/${stack.server}`, stack]))];
const clients = [...new Map(stacks.map((stack) => [`${stack.style}/clients/${stack.client}`, stack]))];

/** The module with the descriptions of a style. */
function tableFile(folder: string): string {
  return sourceFile(`${folder.split("/", 1)[0] ?? ""}/libraries.ts`);
}

test("the descriptions of servers and clients load no library", async () => {
  const descriptions = new Set([...servers, ...clients].map(([folder]) => tableFile(folder)));
  const loaded = await loadedBy([fileURLToPath(new URL("support/load-files.mjs", import.meta.url)), ...descriptions]);
  expect(loaded.filter((name) => name !== "@bufbuild/protobuf")).toEqual([]);
});

/** The libraries of a server or client, as its description names them. */
async function librariesOf(folder: string): Promise<readonly string[]> {
  const [, end = "", library = ""] = folder.split("/");
  const tables = (await import(tableFile(folder))) as Readonly<Record<string, Readonly<Record<string, ServerBinding>>>>;
  const binding = tables[end]?.[library];
  if (binding === undefined) throw new Error(`no description of ${folder}`);
  return binding.libraries;
}

test.each(clients)("%s loads its libraries, and neither another stack's nor a server's", async (folder, { name }) => {
  const own = await librariesOf(folder);
  const loaded = await loadedBy([sourceFile(`${folder}.ts`)]);
  expect(loaded).toEqual(expect.arrayContaining([...own]));
  for (const library of foreignTo(name)) expect(loaded).not.toContain(library);
  const ofServers = ["express", "@apollo/server", "graphql"].filter((library) => !own.includes(library));
  for (const library of ofServers) expect(loaded).not.toContain(library);
});

test.each(servers)(
  "a server process of the runner with %s loads its libraries, and neither another stack's nor a client",
  async (folder, { name }) => {
    const file = fileURLToPath(new URL("../../runner/src/processes/server-process.ts", import.meta.url));
    const loaded = await loadedBy([file], async (ask) => {
      const started = await ask({
        ask: "start",
        stack: name,
        host: "127.0.0.1",
        contract: { kind: "built-in" },
        service: { module: import.meta.resolve("@roundtrip/service"), factory: "realService" },
        tls: undefined,
        settings: {},
      });
      expect(started).toMatchObject({ ok: true });
      expect(await ask({ ask: "stop" })).toMatchObject({ ok: true });
    });
    expect(loaded).toEqual(expect.arrayContaining(["@bufbuild/protobuf", ...(await librariesOf(folder))]));
    for (const library of foreignTo(name)) expect(loaded).not.toContain(library);
    expect(loaded).not.toContain("undici");
  },
);
