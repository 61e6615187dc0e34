// What is not measured is not in the process: each folder of a stack loads what it needs and no other stack's library.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ClientBinding, coveringStacks, loadStack, stackNames } from "../src/index.ts";

const recorder = new URL("support/record-packages.mjs", import.meta.url).href;

/** The packages that a fresh process has loaded by its end; `talk` says what it is asked in between. */
async function loadedBy(
  file: string,
  talk: (ask: (question: unknown) => Promise<unknown>) => Promise<void> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), "loaded-packages-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const packagesFile = join(directory, "packages.json");
  const child = fork(file, [], {
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

describe.each(coveringStacks())("$name", ({ name: stackName, style, server: ofServer, client: ofClient }) => {
  test("its description loads neither the server's library nor the client's", async () => {
    const loaded = [
      ...(await loadedBy(sourceFile(`${style}/servers/${ofServer}/index.ts`))),
      ...(await loadedBy(sourceFile(`${style}/clients/${ofClient}/index.ts`))),
    ];
    expect(loaded.filter((name) => name !== "@bufbuild/protobuf")).toEqual([]);
  });

  test("server and client load its libraries, each its own, and no other stack's", async () => {
    const server = await loadedBy(sourceFile(`${style}/servers/${ofServer}/server.ts`));
    const client = await loadedBy(sourceFile(`${style}/clients/${ofClient}/client.ts`));
    expect([...server, ...client]).toEqual(expect.arrayContaining([...(libraries.get(stackName) ?? [])]));
    for (const library of foreignTo(stackName)) expect([...server, ...client]).not.toContain(library);
    expect(server).not.toContain("undici");
    const { client: binding } = (await import(
      new URL(`../src/${style}/clients/${ofClient}/index.ts`, import.meta.url).href
    )) as { readonly client: ClientBinding };
    const ofServers = ["express", "@apollo/server", "graphql"].filter(
      (library) => !binding.libraries.includes(library),
    );
    for (const library of ofServers) expect(client).not.toContain(library);
  });

  test("a server process of the runner that serves it loads no other stack's library", async () => {
    const file = fileURLToPath(new URL("../../runner/src/processes/server-process.ts", import.meta.url));
    const loaded = await loadedBy(file, async (ask) => {
      const started = await ask({
        ask: "start",
        stack: stackName,
        host: "127.0.0.1",
        contract: { kind: "built-in" },
        service: { module: import.meta.resolve("@roundtrip/service"), factory: "realService" },
        tls: undefined,
        settings: {},
      });
      expect(started).toMatchObject({ ok: true });
      expect(await ask({ ask: "stop" })).toMatchObject({ ok: true });
    });
    expect(loaded).toContain("@bufbuild/protobuf");
    for (const library of foreignTo(stackName)) expect(loaded).not.toContain(library);
  });
});
