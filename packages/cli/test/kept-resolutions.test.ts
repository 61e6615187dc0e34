// A command with many modules finds them where its last start found them, and starts whatever is in the cache.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyFolder, run, start, until, type Outcome } from "./support/run-program.ts";

interface CacheContent {
  readonly state: string;
  readonly modules: readonly string[];
}

const cache = mkdtempSync(join(tmpdir(), "roundtrip-cache-"));
const folder = join(cache, "roundtrip", "modules");
const words = "packages/cli/src/fake/fake-words.ts";

/** Starts a fake and ends it once it listens, or has failed. */
async function startFake(): Promise<Outcome> {
  const fake = start(["fake", "rest-express", "--json"], { env: { XDG_CACHE_HOME: cache } });
  let hasEnded = false;
  void fake.ended.then(() => (hasEnded = true));
  await until(() => (hasEnded || fake.output().stdout.includes("\n") ? true : undefined));
  if (!hasEnded) fake.signal("SIGINT");
  return fake.ended;
}

function keptFile(): string {
  return join(folder, readdirSync(folder).find((name) => name.startsWith("fake-")) ?? "");
}

function kept(): CacheContent {
  return JSON.parse(readFileSync(keptFile(), "utf8")) as CacheContent;
}

function change(how: (kept: CacheContent) => Partial<CacheContent>): void {
  writeFileSync(keptFile(), JSON.stringify({ ...kept(), ...how(kept()) }));
}

/** The modules with one of them in another place. */
function moved(to: string): (kept: CacheContent) => Partial<CacheContent> {
  return ({ modules }) => ({ modules: modules.map((module) => (module === words ? to : module)) });
}

beforeAll(async () => {
  await startFake();
});

afterAll(() => rmSync(cache, { recursive: true }));

it("keeps modules of the installation and of Node.js", () => {
  const { modules } = kept();
  expect(modules).toEqual(
    expect.arrayContaining([words, "node:fs", expect.stringMatching(/^node_modules\/.*express/)]),
  );
});

it("takes modules from where they were, and looks all of them up after a start that failed", async () => {
  change(moved("packages/cli/src/fake/read-files.ts"));
  expect((await startFake()).stderr).toMatch(/'.\/fake-words.ts' does not provide an export named/);
  expect((await startFake()).stderr).toBe("");
  expect(kept().modules).toContain(words);
});

it("writes nothing when it has found nothing new", async () => {
  const { mtimeMs, ino } = statSync(keptFile());
  await startFake();
  expect(statSync(keptFile())).toMatchObject({ mtimeMs, ino });
});

it("looks modules up once the installation has changed", async () => {
  change((before) => ({ ...moved("packages/cli/src/fake/read-files.ts")(before), state: "another" }));
  expect((await startFake()).stderr).toBe("");
  expect(kept().modules).toContain(words);
});

it("looks up what has gone", async () => {
  change(moved("packages/cli/src/fake/gone.ts"));
  expect((await startFake()).stderr).toBe("");
  expect(kept().modules).toContain(words);
});

it.each(["", "{", "[]", '{"state":1}'])("starts with %j in the cache", async (text) => {
  writeFileSync(keptFile(), text);
  expect((await startFake()).stderr).toBe("");
  expect(kept().modules).toContain(words);
});

it("finds a report's modules, those of each format", async () => {
  const samples = join(emptyFolder(), "samples.csv");
  writeFileSync(samples, "arm,round,latencyMs\na,1,1\na,2,2\nb,1,2\nb,2,3\n");
  const keptBy = async (format: string): Promise<readonly string[]> => {
    await run(["report", samples, "--format", format], { env: { XDG_CACHE_HOME: cache } });
    const file = readdirSync(folder).find((name) => name.startsWith("report-")) ?? "";
    return (JSON.parse(readFileSync(join(folder, file), "utf8")) as CacheContent).modules;
  };
  const page = "packages/report/src/formats/html.ts";
  const markdown = "packages/report/src/formats/markdown.ts";
  expect(await keptBy("markdown")).not.toContain(page);
  expect(await keptBy("html")).toEqual(expect.arrayContaining([page, markdown]));
  // A user's mistake says nothing about modules.
  await run(["report", join(emptyFolder(), "missing")], { env: { XDG_CACHE_HOME: cache } });
  expect(readdirSync(folder).filter((name) => name.startsWith("report-"))).toHaveLength(1);
});
