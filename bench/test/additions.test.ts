// What is added without an edit of what is there: in a copy of the project, one of each kind is a new file or folder, is found, and runs.
import { execFile, fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SharedAnswer, SharedQuestion } from "../../packages/cli/test/support/shared-program-process.ts";

const projectRoot = join(import.meta.dirname, "../..");

/** The added files, by their paths in the project; `.txt` keeps checks of this project from taking them for its own. */
const additions = join(import.meta.dirname, "additions");
const added = globSync("**/*.txt", { cwd: additions }).map((file) => file.slice(0, -".txt".length));

let copy = "";
let run = "";

async function node(...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: copy });
  return stdout;
}

/** Command lines of the copy, one after the other: a process for each would compile the copy again. */
let commands: ChildProcess | undefined;

async function roundtrip(...args: readonly string[]): Promise<string> {
  commands ??= fork(join(copy, "packages/cli/test/support/shared-program-process.ts"), { stdio: "ignore" });
  commands.send({ id: 0, args, cwd: copy, env: process.env } satisfies SharedQuestion);
  const [{ outcome }] = (await once(commands, "message")) as [SharedAnswer];
  if (outcome.status !== 0) throw new Error(`roundtrip ${args.join(" ")}: ${outcome.stderr}`);
  return outcome.stdout;
}

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), "roundtrip-additions-"));
  // Links of packages lead to each other and, above them, to the libraries.
  const options = {
    recursive: true,
    verbatimSymlinks: true,
    // The package `runs` and links to it are no run directories.
    filter: (path: string) => !/\/dist$|(?<!\/(?:packages|@roundtrip))\/runs$/.test(path),
  };
  for (const name of ["packages", "bench", "proto", "schema", "package.json"]) {
    cpSync(join(projectRoot, name), join(copy, name), options);
  }
  symlinkSync(join(projectRoot, "node_modules"), join(copy, "node_modules"));
  for (const file of added) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), readFileSync(join(additions, `${file}.txt`)));
  }
  run = join(copy, "run");
  const stacks = "line-net,rest-plain,rest-express+plain";
  const json = await roundtrip(
    "bench",
    "wave",
    "--stack",
    stacks,
    "--link",
    "twin",
    "--rounds",
    "1",
    "--out",
    run,
    "--json",
  );
  measured = JSON.parse(json) as Measured;
});

afterAll(() => {
  commands?.kill();
  rmSync(copy, { recursive: true, force: true });
});

/** What `bench --json` writes of a run. */
interface Measured {
  readonly facts: {
    readonly status: string;
    readonly environment: { readonly links: readonly { readonly kind: string }[] };
    readonly arms: readonly Readonly<
      Record<"id" | "study" | "stack" | "style" | "server" | "client" | "stackTitle", string>
    >[];
  };
}

/** What `describe --json` writes. */
interface Described {
  readonly operations: readonly { readonly styles: readonly { readonly stack: string }[] }[];
}

let measured: Measured;

function contractWith(field: string): string {
  return `syntax = "proto3";\npackage a.v1;\nservice A {\n  rpc B(C) returns (C);\n}\nmessage C {\n  string ${field} = 1;\n}\n`;
}

describe("an addition", () => {
  it("edits no file of the project", () => {
    expect(added.filter((file) => existsSync(join(projectRoot, file)))).toEqual([]);
    expect(added.length).toBeGreaterThan(15);
  });

  it("of a style, a server or a client is measured beside the others, and answers as they do", () => {
    const { arms, status } = measured.facts;
    expect(status).toBe("complete");
    const ids = arms.map(({ stack, style, server, client, stackTitle }) => [stack, style, server, client, stackTitle]);
    expect(ids).toEqual(
      expect.arrayContaining([
        ["line-net", "line", "net", "net", "Lines"],
        ["rest-plain", "rest", "plain", "undici", "REST (plain)"],
        ["rest-express+plain", "rest", "express", "plain", "REST (express, plain)"],
      ]),
    );
  });

  it("of a style judges changes of a contract", async () => {
    const paths = ["before", "after"].map((name) => {
      const path = join(copy, `${name}.proto`);
      writeFileSync(path, contractWith(name));
      return path;
    });
    const [before = "", after = ""] = paths;
    const report = await roundtrip("check", "--against", before, "--contract", after, "--stack", "line");
    expect(report).toContain("Lines  may break  lines contain names\n");
  });

  it("of a style is compared with the service, up to the limits that it declares", async () => {
    const json = await node(
      "bench/fuzz/main.ts",
      "differential",
      "line-net",
      "--requests",
      "120",
      "--seed",
      "1",
      "--json",
    );
    expect(JSON.parse(json)).toMatchObject({ requests: 120, difference: null });
  });

  it("of a server or a client is selected by its name", async () => {
    const text = await roundtrip("describe", "SayHello", "--stack", "plain,net", "--json");
    const styles = (JSON.parse(text) as Described).operations.flatMap((operation) => operation.styles);
    expect(styles.map(({ stack }) => stack)).toEqual(["rest-plain", "line-net"]);
  });

  it("of a server or a client does nothing unless it is selected", async () => {
    const { operations } = JSON.parse(await roundtrip("describe", "SayHello", "--json")) as Described;
    const known = operations.flatMap(({ styles }) => styles.map(({ stack }) => stack));
    expect(known).toEqual(expect.arrayContaining(["rest-express"]));
    expect(known.filter((stack) => stack.includes("plain"))).toEqual([]);
  });

  it("of a server keeps the contract", { timeout: 120_000 }, async () => {
    expect(await roundtrip("conform", "rest-plain", "--quiet")).toMatch(/^rest-plain +\d{3} pass, 0 fail/m);
  });

  it("of a study, a pacer or a link is what was measured", () => {
    const { arms, environment } = measured.facts;
    for (const { id, study } of arms)
      expect([study, id]).toEqual(["wave", expect.stringContaining("arrivals=halting")]);
    expect(environment.links.map(({ kind }) => kind)).toEqual(["twin"]);
  });

  it("of an output format or a plot is in what is reported", async () => {
    expect(await roundtrip("report", run, "--format", "names")).toContain("REST (plain)\nREST (express, plain)\n");
    expect(readFileSync(join(run, "plots", "one-dot.svg"), "utf8")).toContain("<circle");
  });

  it("of a table is in the report of every format that has tables", async () => {
    expect(readFileSync(join(run, "report.html"), "utf8")).toContain("An added table");
    for (const name of ["markdown", "terminal"]) {
      expect(await roundtrip("report", run, "--format", name)).toMatch(/An added table[^]*REST \(plain\)/);
    }
  });

  it("of a command is run, and listed in the help", async () => {
    expect(await roundtrip("salute")).toBe("an added command\n");
    expect(await roundtrip("--help")).toContain("say hello");
  });
});
