// The program finds its modules where it found them before, and looks anew where that is wrong: after another installation, and for what has gone.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { emptyFolder, start, until } from "./support/run-program.ts";

interface Kept {
  readonly key: string;
  readonly found: Record<string, Record<string, readonly [path: string, format?: string]>>;
}

const program = join(import.meta.dirname, "../bin/roundtrip.js");

/** Runs the program in a folder with a configuration, and returns what it kept then. */
function run(cache: string): Kept {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "settings.mjs"), 'export const stack = "grpc";\n');
  writeFileSync(
    join(cwd, "roundtrip.config.ts"),
    'import { stack } from "./settings.mjs";\nexport default { stack };\n',
  );
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  expect(execFileSync(process.execPath, [program, "describe"], { cwd, env, encoding: "utf8" })).toMatch(/GetCustomer/);
  return JSON.parse(readFileSync(fileIn(cache), "utf8")) as Kept;
}

/** The file, when it is written whole. */
function keptIn(cache: string): string | undefined {
  const folder = join(cache, "roundtrip/resolutions");
  const name = existsSync(folder) ? readdirSync(folder).find((file) => file.endsWith(".json")) : undefined;
  return name === undefined ? undefined : join(folder, name);
}

function fileIn(cache: string): string {
  const file = keptIn(cache);
  if (file === undefined) throw new Error("nothing is kept");
  return file;
}

function write(cache: string, kept: unknown): void {
  writeFileSync(fileIn(cache), typeof kept === "string" ? kept : JSON.stringify(kept));
}

function entriesOf({ found }: Kept) {
  return Object.values(found).flatMap((modules) => Object.entries(modules));
}

it("keeps where its modules are, and none of its user's", () => {
  const cache = emptyFolder();
  const kept = run(cache);
  expect(Object.keys(kept.found)).toContain("packages/cli/src/main.ts");
  expect(entriesOf(kept).map(([name]) => name)).not.toContain("import:./settings.mjs");
  expect(JSON.stringify(kept)).not.toContain("roundtrip.config");
  expect(run(cache)).toEqual(kept);
});

it("loads the libraries of every style again as they were: modules of both kinds, and JSON", async () => {
  const cache = emptyFolder();
  for (let starts = 0; starts < 2; starts += 1) {
    const server = start(["serve"], { env: { XDG_CACHE_HOME: cache } });
    // oxlint-disable-next-line no-await-in-loop -- the second uses what the first kept
    await until(() => (server.output().stdout.includes("Ctrl-C ends it") ? true : undefined));
    // oxlint-disable-next-line no-await-in-loop -- also one that is killed keeps them
    await until(() => keptIn(cache));
    server.signal("SIGKILL");
    // oxlint-disable-next-line no-await-in-loop
    expect(await server.ended).toMatchObject({ stderr: "" });
  }
  expect(readFileSync(fileIn(cache), "utf8")).toContain("codes.json");
});

it("looks for what has gone, and for everything after another installation or a broken write", () => {
  const cache = emptyFolder();
  const kept = run(cache);
  const gone = Object.entries(kept.found).map(([parent, modules]) => [
    parent,
    Object.fromEntries(Object.entries(modules).map(([name, [path, format]]) => [name, [`${path}.gone`, format]])),
  ]);
  write(cache, { ...kept, found: Object.fromEntries(gone) });
  expect(run(cache)).toEqual(kept);
  write(cache, { key: "another", found: Object.fromEntries(gone) });
  expect(run(cache)).toEqual(kept);
  write(cache, '{"key": "');
  expect(run(cache)).toEqual(kept);
});

it("no longer takes part when the program has started, as libraries resolve modules for each request", () => {
  const cache = emptyFolder();
  const { key } = run(cache);
  const asking = "packages/cli/test/fixtures/asks-until-let-go.mjs";
  write(cache, {
    key,
    found: { [asking]: { "import:./asks-until-let-go.mjs": ["packages/cli/bin/roundtrip.js", "module"] } },
  });
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const file = join(import.meta.dirname, "fixtures/asks-until-let-go.mjs");
  const asked = execFileSync(process.execPath, [file], { env, encoding: "utf8", timeout: 60_000 }).trim().split("\n");
  expect(asked).toEqual([pathToFileURL(program).href, pathToFileURL(file).href]);
});
