// docs/fakes.md is true: what it has people paste does what it says.
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { blockWith, readPage, shell } from "./support/page-section.ts";
import { emptyFolder, start, until, type Running } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const page = readPage("fakes.md");
const block = (kind: string, part: string): string => blockWith(page, kind, part);

const readersPorts = { 8080: "fake" };

const withBash = await needing("bash");
const withCurl = await needing("bash", "curl");

interface Server extends AsyncDisposable {
  /** What the program has printed. */
  output(): string;
  /** A text with the reader's ports, as it is here. */
  here(text: string): string;
}

/** Runs a command of the page that serves until it is ended, on free ports. */
async function served(command: string, cwd: string, others?: Server): Promise<Server> {
  const [typed = ""] = block("sh", command).trim().split("\n");
  const line = others?.here(typed) ?? typed;
  const args = line
    .replace("npx -y pnpm@10 -s ", "")
    .replace(/--port \d+/, "--port 0")
    .split(" ");
  const program: Running = start(args, { cwd });
  const text = await until(() => {
    const { stdout } = program.output();
    return stdout.includes("Ctrl-C ends it") ? stdout : undefined;
  });
  const hosts = new Map([...text.matchAll(/^(\S+) +https?:\/\/([^/\s]+)/gm)].map(([, name, host]) => [name, host]));
  return {
    output: () => program.output().stdout,
    here: (written) =>
      Object.entries({ ...readersPorts, 9000: "rest-express" }).reduce(
        (said, [port, name]) => said.replaceAll(`127.0.0.1:${port}`, hosts.get(name) ?? `127.0.0.1:${port}`),
        written,
      ),
    async [Symbol.asyncDispose]() {
      program.signal("SIGINT");
      await program.ended;
    },
  };
}

test(
  "the first steps, the test that fails and the test that passes, against the fake and against the real service",
  withCurl,
  async () => {
    const cwd = emptyFolder();
    const client = block("js", "// name-of.test.mjs");
    const better = block("js", "// name-of.js").replace(/^.*\n/, "");
    const mended = client.replace(/async function nameOf[\s\S]*?^}\n/m, () => better);
    {
      await using fake = await served("fake --port 8080\n", cwd);
      const curls = block("sh", "v1/customers/7").trim().split("\n");
      const { stdout } = await shell(fake.here(curls.map((line) => `${line}; echo`).join("\n")), cwd);
      const [rest = "", graphql = "", gone = ""] = stdout.split("\n").filter((line) => line !== "");
      const { name } = JSON.parse(rest) as { readonly name: string };
      expect(JSON.parse(graphql)).toEqual({ data: { customer: { id: 7, name } } });
      expect(gone).toContain("NOT_FOUND");

      writeFileSync(join(cwd, "name-of.test.mjs"), fake.here(client));
      const failed = await shell(block("sh", "node --test name-of"), cwd);
      expect(failed.status).toBe(1);
      for (const line of block("text", "nobody").trim().split("\n")) expect(failed.stdout).toContain(line);
      writeFileSync(join(cwd, "name-of.test.mjs"), fake.here(mended));
      expect((await shell(block("sh", "node --test name-of"), cwd)).status).toBe(0);
    }
    await using real = await served("serve rest-express", cwd);
    expect((await shell(real.here(block("sh", "SERVER=")), cwd)).status).toBe(0);
    {
      writeFileSync(join(cwd, "stubs.yaml"), "operation: SayHello\nresponse: { message: Hi }\n");
      await using forwarding = await served("--forward", cwd, real);
      writeFileSync(join(cwd, "name-of.test.mjs"), forwarding.here(mended));
      expect((await shell(block("sh", "node --test name-of"), cwd)).status).toBe(0);
      const calls = await (await fetch(forwarding.here("http://127.0.0.1:8080/calls"))).text();
      expect(calls).toContain(`"forwardedTo":"${real.here("http://127.0.0.1:9000")}"`);
    }
    {
      await using recording = await served("--record", cwd, real);
      writeFileSync(join(cwd, "name-of.test.mjs"), recording.here(mended));
      expect((await shell(block("sh", "node --test name-of"), cwd)).status).toBe(0);
    }
    expect(readFileSync(join(cwd, "recorded.yaml"), "utf8")).toContain("NOT_FOUND");
  },
);

test("errors as grpc-gateway writes them", withCurl, async () => {
  const cwd = emptyFolder();
  await using fake = await served("--set rest-express.dialect", cwd);
  const { stdout } = await shell(fake.here(block("sh", "customers/9999")), cwd);
  const [shown = ""] = block("text", '"code":5').split(", …");
  expect(stdout.startsWith(shown)).toBe(true);
});

test("stubs in turns, sessions, the log, the page's interface and callers in browsers", withCurl, async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "stubs.yaml"), block("yaml", "# stubs.yaml"));
  await using fake = await served("--stubs stubs.yaml", cwd);
  writeFileSync(join(cwd, "retry.test.mjs"), fake.here(block("js", "// retry.test.mjs")));
  const { status, stdout } = await shell(block("sh", "node --test retry"), cwd);
  expect({ status, stdout }).toMatchObject({ status: 0 });
  expect((await shell(fake.here(block("sh", "8080/stubs")), cwd)).stdout).toMatch(
    /"origin":"added".*\{"message":"Hi"\}/s,
  );
  expect((await shell(fake.here(block("sh", "GetCustomerName")), cwd)).stdout).toMatch(/^\{"name":".+"\}\n$/);
  await shell(fake.here(block("sh", "custmers")), cwd);
  expect(await until(() => /^Refused: .*$/m.exec(fake.output())?.[0])).toBe(block("text", "Refused:").trim());
});

/** A folder in which the packages are found, as they are in a project that has installed them. */
function folderWithPackages(): string {
  const folder = emptyFolder();
  symlinkSync(join(import.meta.dirname, "..", "node_modules"), join(folder, "node_modules"));
  return folder;
}

test("a fake in the process of a test", withBash, async () => {
  const cwd = folderWithPackages();
  writeFileSync(join(cwd, "customers.test.ts"), block("ts", "// customers.test.ts"));
  const [line = ""] = block("sh", "node --test customers").split("\n");
  const { status, stdout, stderr } = await shell(line, cwd);
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expect.stringContaining("pass 1") as string });
});

test("a fake in the process of a test of vitest", withBash, async () => {
  const cwd = folderWithPackages();
  const example = block("ts", "// names.test.ts");
  const vitest = `node ${join(import.meta.dirname, "../../../node_modules/vitest/vitest.mjs")} run --root . names.test.ts`;
  writeFileSync(join(cwd, "names.test.ts"), example);
  const passed = await shell(vitest, cwd);
  expect(passed).toMatchObject({ status: 0, stdout: expect.stringMatching(/Tests {2}1 passed/) as string });
  writeFileSync(join(cwd, "names.test.ts"), example.replace("times: 1", "times: 2"));
  const failed = await shell(vitest, cwd);
  expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining("was called 1 time") as string });
});

test("what was called, asked for by assertions", withBash, async () => {
  const cwd = folderWithPackages();
  writeFileSync(join(cwd, "called.ts"), block("ts", "expectCallsInOrder"));
  const { stdout, stderr } = await shell("node called.ts", cwd);
  expect({ stdout, stderr }).toEqual({ stdout: "OK [ { id: 7 } ]\n", stderr: "" });
});

test("conform says why a fake fails cases", async () => {
  const cwd = emptyFolder();
  await using fake = await served("fake --port 8080\n", cwd);
  const [, line = ""] = /`roundtrip (conform --target \S+)`/.exec(page) ?? [];
  const { status, stdout } = await run(fake.here(line).split(" "), { cwd });
  expect({ status, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({
    status: 1,
    last: 'All failed cases depend on what no contract defines, which a fake makes up: docs/fakes.md, "What no contract defines".',
  });
});
