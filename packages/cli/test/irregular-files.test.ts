// What is no regular file, wherever a command reads one: a pipe that nobody writes, a device, a socket. One line, at once.
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { fileLimitsMiB } from "../src/basics/read-input.ts";
import { emptyFolder, start, until } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { thingShop } from "./support/thing-shop.ts";
import { refusal } from "./support/outcomes.ts";

const measuredRun = fileURLToPath(new URL("fixtures/measured-run", import.meta.url));
const shop = ["--contract", "shop.proto"];

/** Each reader: the arguments, and the file that is not one, in a folder with a contract and a run. */
const readers: readonly (readonly [words: readonly string[], file: string])[] = [
  [["describe", "--contract", "odd.proto"], "odd.proto"],
  [["describe", "--contract", "protos"], "protos/odd.proto"],
  [["describe", "--contract", "odd.binpb"], "odd.binpb"],
  [["describe", "--contract", "shop.proto,odd.yaml"], "odd.yaml"],
  [["describe", "--contract", "workspace"], "workspace/odd.proto"],
  [["describe", "--contract", "workspace"], "workspace/buf.yaml"],
  [["describe", "--contract", "importing.proto"], "imported.proto"],
  [["describe", "SayHello"], "roundtrip.config.ts"],
  [["describe", "SayHello"], "package.json"],
  [["describe", "SayHello"], "imported.ts"],
  [["check", ...shop, "--against", "HEAD"], ".git/HEAD"],
  [["check", ...shop, "--against", "HEAD"], ".git/config"],
  [["compare", "main", "HEAD"], ".git/HEAD"],
  [["compare", "main", "HEAD"], ".git/config"],
  [["types", ...shop, "--out", "made"], "made/index.ts"],
  [["check", ...shop, "--against", "odd.binpb"], "odd.binpb"],
  [["check", ...shop, "--against", "shop.proto", "--allow", "odd.yaml"], "odd.yaml"],
  [["fake", ...shop, "--stubs", "odd.yaml"], "odd.yaml"],
  [["fake", ...shop, "--stubs", "stubs"], "stubs/odd.yaml"],
  [["fake", ...shop, "--faults", "odd.yaml"], "odd.yaml"],
  [["fake", ...shop, "--replay", "odd.yaml"], "odd.yaml"],
  [["tasks", "odd.log", ...shop, "--out", "day"], "odd.log"],
  [["tasks", "odd.har", ...shop, "--out", "day"], "odd.har"],
  [["tasks", "odd.log.gz", ...shop, "--out", "day"], "odd.log.gz"],
  [["bench", ...shop, "--tasks", "odd.yaml", "--stack", "rest"], "odd.yaml"],
  [["bench", "hello", "--arrivals", "odd.txt"], "odd.txt"],
  [["bench", "--import", "exported/odd.json"], "exported/plan.json"],
  [["report", "odd.csv"], "odd.csv"],
  [["report", "run"], "run/run.json"],
  [["report", "run"], "run/samples.parquet"],
  [["compare", "run", "other"], "run/run.json"],
  [["predict", "mva", "--file", "odd.json"], "odd.json"],
  [["predict", "mva", "--from", "run"], "run/run.json"],
  [["conform", "--target", "rest=http://127.0.0.1:9,ca=odd.pem"], "odd.pem"],
];

function folderFor(file: string): string {
  const cwd = emptyFolder();
  for (const name of ["protos", "workspace", "made", "stubs", "exported"]) mkdirSync(join(cwd, name));
  for (const name of ["run", "other"]) cpSync(measuredRun, join(cwd, name), { recursive: true });
  for (const name of ["shop.proto", "protos/shop.proto", "workspace/shop.proto"]) {
    writeFileSync(join(cwd, name), thingShop);
  }
  writeFileSync(join(cwd, "workspace", "buf.yaml"), "version: v2\n");
  writeFileSync(join(cwd, "importing.proto"), `${thingShop}import "imported.proto";\n`);
  if (file.startsWith(".git/")) mkdirSync(join(cwd, ".git"));
  if (["package.json", "imported.ts"].includes(file)) {
    writeFileSync(join(cwd, "roundtrip.config.ts"), 'import "./imported.ts";\nexport default {};\n');
  }
  rmSync(join(cwd, file), { force: true });
  return cwd;
}

const makeOdd = {
  "a pipe": (path: string) => void execFileSync("mkfifo", [path]),
  "a device": (path: string) => symlinkSync("/dev/zero", path),
} as const;

describe.each(Object.entries(makeOdd))("%s", async (kind, make) => {
  it.each(readers)("is refused in one line by %j as %s", await needing("linux"), async (words, file) => {
    const cwd = folderFor(file);
    make(join(cwd, file));
    const message = refusal(await run(words, { cwd }));
    expect(message).toMatch(new RegExp(`${file}.*\\bit is (?:${kind}, )?not a file`));
  });
});

it("a directory is refused in one line where no folder is meant", async () => {
  const cwd = folderFor("odd.yaml");
  mkdirSync(join(cwd, "odd.yaml"));
  const words = ["check", ...shop, "--against", "shop.proto", "--allow", "odd.yaml"];
  expect(refusal(await run(words, { cwd }))).toBe("cannot read odd.yaml: it is a directory, not a file");
});

it("a socket is refused in one line", async () => {
  const cwd = folderFor("odd.yaml");
  const server = createServer().listen(join(cwd, "odd.yaml"));
  await once(server, "listening");
  const outcome = await run(["fake", ...shop, "--stubs", "odd.yaml"], { cwd });
  server.close();
  expect(refusal(outcome)).toBe("cannot read odd.yaml: it is a socket, not a file");
});

it.each([
  ["a link that leads nowhere", (path: string) => symlinkSync("nowhere", path), "no such file or folder"],
  ["a link that leads to itself", (path: string) => symlinkSync("odd.yaml", path), /loop|itself|too many/],
])("%s is refused in one line", async (_what, make, why) => {
  const cwd = folderFor("odd.yaml");
  make(join(cwd, "odd.yaml"));
  expect(refusal(await run(["fake", ...shop, "--stubs", "odd.yaml"], { cwd }))).toMatch(why);
});

it.each(readers.filter(([, file]) => !/plan|config|git|package|\.ts$|har|log|run|odd\.txt/.test(file)))(
  "a file of a gigabyte is not read, by %j as %s",
  async (words, file) => {
    const cwd = folderFor(file);
    writeFileSync(join(cwd, file), "");
    truncateSync(join(cwd, file), 2 ** 30);
    expect(refusal(await run(words, { cwd }))).toContain("is larger than ");
  },
);

it("files up to the limit are read", async () => {
  const cwd = folderFor("allow.yaml");
  const text = `[] #${" ".repeat(fileLimitsMiB.allowList * 2 ** 20 - 4)}`;
  writeFileSync(join(cwd, "allow.yaml"), text);
  const words = ["check", ...shop, "--against", "shop.proto", "--allow", "allow.yaml"];
  expect(await run(words, { cwd })).toMatchObject({ status: 0, stderr: "" });
  writeFileSync(join(cwd, "allow.yaml"), `${text} `);
  expect((await run(words, { cwd })).stderr).toBe("roundtrip: allow.yaml is larger than 1 MiB\n");
});

it("a configuration that waits is named", await needing("linux"), async () => {
  const cwd = emptyFolder();
  execFileSync("mkfifo", [join(cwd, "awaited")]);
  const awaiting = 'import { readFile } from "node:fs/promises";\nawait readFile("awaited");\nexport default {};\n';
  writeFileSync(join(cwd, "roundtrip.config.ts"), awaiting);
  const program = start(["describe", "SayHello"], { cwd });
  await until(() => (program.output().stderr === "" ? undefined : true));
  expect(program.output().stderr).toMatch(/^roundtrip: still loading [^\n]*roundtrip\.config\.ts\n$/);
  await writeFile(join(cwd, "awaited"), "");
  expect((await program.ended).status).toBe(0);
});

describe("an output that is", async () => {
  it("a pipe that nobody reads is refused", await needing("linux"), async () => {
    const cwd = emptyFolder();
    execFileSync("mkfifo", [join(cwd, "report.md")]);
    expect(refusal(await run(["report", measuredRun, "--out", "report.md"], { cwd }), 69)).toBe(
      "cannot write report.md: it is a socket, or a pipe that nothing reads",
    );
  });

  it("on a full disk names it, and leaves no part behind", await needing("linux"), async () => {
    const cwd = emptyFolder();
    symlinkSync("/dev/full", join(cwd, "report.md"));
    expect(refusal(await run(["report", measuredRun, "--out", "report.md"], { cwd }), 69)).toBe(
      "cannot write report.md: no space is left on the device",
    );
    expect(readdirSync(cwd)).toEqual(["report.md"]);
  });
});
