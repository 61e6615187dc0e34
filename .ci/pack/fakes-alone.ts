// Installs the package of fakes without the packages that measure, and uses it as a client team does: its program, and a fake in three test runners.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { OutsideTerminal } from "./outside-terminal.ts";

const most = { packages: 120, megabytes: 80 } as const;

const needed = ["contract", "styles", "stacks", "runs", "fakes"];

const released = join(import.meta.dirname, "..", "..", "proto", "released.binpb");

function installedPackages(project: string): readonly string[] {
  const lock = join(project, "node_modules", ".package-lock.json");
  const { packages } = JSON.parse(readFileSync(lock, "utf8")) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  return Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ""));
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function checkSize(project: string): string {
  const packages = installedPackages(project);
  const megabytes = bytesIn(join(project, "node_modules")) / 1e6;
  const size = `${packages.length} packages, ${megabytes.toFixed(0)} MB`;
  if (packages.length > most.packages || megabytes > most.megabytes) {
    throw new Error(`a fake alone is ${size}: at most ${most.packages}, ${most.megabytes} MB`);
  }
  const measuring = packages.filter((name) => /^@roundtrip\/(?:cli|runner|analysis|report|k6|bench)$/.test(name));
  if (measuring.length > 0) throw new Error(`a fake alone brings ${measuring.join(", ")}`);
  return size;
}

/** Throws unless the line fails, and says this. */
function requireRefusal(terminal: OutsideTerminal, project: string, line: string, text: string): void {
  let said: string;
  try {
    terminal.run(project, line);
    said = "it succeeded";
  } catch (thrown) {
    said = (thrown as Error).message;
  }
  if (!said.includes(text)) throw new Error(`${line} does not say "${text}": ${said}`);
}

async function useProgram(terminal: OutsideTerminal, project: string): Promise<void> {
  await using fake = await terminal.serve(project, `npx roundtrip-fake --port 0 --contract ${released}`);
  const [address = ""] = /http:\/\/\S+/.exec(/^rest.*$/m.exec(fake.printed)?.[0] ?? "") ?? [];
  terminal.run(project, `curl --fail --silent ${address}/v1/customers/7`);
  terminal.run(project, `curl --fail --silent ${/^page +(\S+)$/m.exec(fake.printed)?.[1]}operations`);
}

/** What the program reads in an older Node.js, which is no package that npm installs without scripts. */
const olderVersion = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });`;

/** The same test for each runner. */
const testBody = `
import { builtInContract } from "@roundtrip/contract";
import { expectCalls, startFake } from "@roundtrip/fakes";

test("a client reads the customer that it deletes", async () => {
  const fake = await startFake(builtInContract());
  try {
    const url = fake.urls["rest-express"] + "/v1/customers/7";
    const statuses = [(await fetch(url)).status, (await fetch(url, { method: "DELETE" })).status, (await fetch(url)).status];
    if (statuses.join() !== "200,204,404") throw new Error(statuses.join());
    const query = JSON.stringify({ query: "{ customer(id: 7) { name } }" });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(fake.urls["graphql-apollo"], { method: "POST", headers, body: query });
    if (!(await answer.text()).includes("NOT_FOUND")) throw new Error("the state is not one");
    const memory = await fake.connect("memory");
    await memory.close();
    expectCalls(fake.log, "GetCustomer", { times: 3 });
  } finally {
    await fake.close();
  }
});
`;

const intercepted = `
import { test } from "vitest";
import { setupServer } from "msw/node";
import { builtInContract } from "@roundtrip/contract";
import { startFake } from "@roundtrip/fakes";
import { mswHandlers } from "@roundtrip/fakes/msw";

test("msw answers fetch with the fake", async () => {
  const fake = await startFake(builtInContract(), { stacks: [] });
  const server = setupServer(...mswHandlers(fake, "https://api.example"));
  server.listen();
  const { status } = await fetch("https://api.example/v1/customers/7");
  if (status !== 200) throw new Error(String(status));
  server.close();
  await fake.close();
});
`;

/** Each runner, with how a test is named there and the line that runs it. jest loads packages of modules with a flag of Node.js. */
const runners = [
  ["node.test.js", `import { test } from "node:test";${testBody}`, "node --test node.test.js"],
  ["vitest.test.js", `import { test } from "vitest";${testBody}`, "npx vitest run vitest.test.js msw.test.js"],
  ["jest.spec.js", testBody, "NODE_OPTIONS=--experimental-vm-modules npx jest --testMatch '**/jest.spec.js'"],
] as const;

/** Throws for a package that is too large, and for anything that does not work. Returns its size. */
export async function useFakesAlone(
  terminal: OutsideTerminal,
  folder: string,
  tarballs: readonly string[],
): Promise<string> {
  const project = join(folder, "only-a-fake");
  mkdirSync(project);
  const own = tarballs.filter((path) => needed.some((name) => basename(path).startsWith(`roundtrip-${name}-`)));
  terminal.run(project, `npm init --yes\nnpm pkg set type=module\nnpm install ${own.join(" ")}`);
  const size = checkSize(project);
  await useProgram(terminal, project);
  writeFileSync(join(project, "shop.proto"), 'syntax = "proto3";\n');
  writeFileSync(join(project, "older.js"), olderVersion);
  requireRefusal(terminal, project, "npx roundtrip-fake --contract shop.proto", "npm install --save-dev @bufbuild/buf");
  requireRefusal(terminal, project, `node --import ./older.js node_modules/.bin/roundtrip-fake`, "requires Node.js 22");
  terminal.run(project, "npm install --save-dev vitest jest msw");
  writeFileSync(join(project, "msw.test.js"), intercepted);
  for (const [file, text, line] of runners) {
    writeFileSync(join(project, file), text);
    terminal.run(project, line);
  }
  return size;
}
