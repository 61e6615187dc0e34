// `roundtrip history` as a user calls it: runs go in, trends and tables come out, and every mistake is reported in one line.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { HistoryFile } from "../../src/history/history-file.ts";
import { emptyFolder, start, until } from "../support/run-program.ts";
import { run } from "../support/shared-program.ts";
import { needing } from "../../../../.ci/needs/needing.ts";
import { git, gitAll } from "../support/git.ts";
import { machine, madeCell, madeCells, madeRun } from "./made-runs.ts";

let cwd = "";
const program = async (commandLine: string, folder = cwd) => run(commandLine.split(" "), { cwd: folder });

/** What was printed, of a command line that ends well. */
async function printed(commandLine: string, folder = cwd): Promise<string> {
  const { status, stdout, stderr } = await program(commandLine, folder);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

async function document<T>(commandLine: string): Promise<T> {
  return JSON.parse(await printed(`${commandLine} --json`)) as T;
}

const bench = "bench hello --stack rest-express --rounds 1 --calls 20 --quiet";

/** A history of a branch of 40 runs whose gRPC latency steps up by 20 % at run 15, with a new runtime from run 30 on. */
function steppedHistory(): string {
  const path = join(emptyFolder(), "stepped.db");
  using history = HistoryFile.forWriting(path);
  for (let index = 0; index < 40; index += 1) {
    const environment = index < 30 ? machine : { ...machine, runtime: "Node.js 26" };
    const noise = 1 + 0.01 * Math.sin(index * index);
    const latencyMs = (index < 15 ? 1 : 1.2) * noise * (index < 30 ? 1 : 0.5);
    history.add(madeRun(index, { environment }), [
      madeCell("grpc-js", "latencyMs", latencyMs),
      madeCell("rest-express", "latencyMs", noise),
      madeCell("rest-express", "wireBytesPerTask", 327),
    ]);
  }
  return path;
}

const withGit = await needing("git");

beforeAll(async () => {
  cwd = emptyFolder();
  gitAll(cwd, "init -q -b main", "commit -q --allow-empty -m one");
  writeFileSync(join(cwd, ".gitignore"), "*\n");
  const { status, stderr } = await program(`${bench} --out run`);
  if (status !== 0) throw new Error(stderr);
});

describe("roundtrip history", withGit, () => {
  it("adds a run of what is checked out, once, and lists it", async () => {
    const commit = git(cwd, "rev-parse", "HEAD").trim();
    const label = commit.slice(0, 10);
    const added = await printed("history add run");
    expect(added).toMatch(
      new RegExp(
        `^Added run [0-9a-f]{16} of ${label} on main, with \\d+ figures; \\.roundtrip/history\\.db has 1 run\\.\n$`,
      ),
    );
    // The same run from another place, once its report was made anew.
    cpSync(join(cwd, "run"), join(cwd, "moved"), { recursive: true });
    await printed("report moved --out moved");
    expect(await printed("history add moved")).toMatch(/ already, as [0-9a-f]{10} on main; nothing was changed\.\n$/);
    const { runs, branches } = await document<{ readonly runs: readonly unknown[]; readonly branches: unknown }>(
      "history",
    );
    expect(branches).toEqual({ main: 1 });
    expect(runs).toMatchObject([{ revision: commit, branch: "main", isDirty: false, status: "complete", rounds: 1 }]);
    expect(await printed("history list")).toMatch(/^\.roundtrip\/history\.db: all 1 runs?\n.*\n─+\n.*  main /);
  });

  it("keeps the run of bench where a history is named, and what was measured stays when it cannot be", async () => {
    const kept = await program(`${bench} --out kept --history kept.db`);
    expect({ status: kept.status, stderr: kept.stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^Added run .*; kept\.db has 1 run\.\n$/) as string,
    });
    writeFileSync(join(cwd, "list.txt"), "milk\n");
    const refused = await program(`${bench} --out refused --history list.txt`);
    expect(refused).toEqual({
      status: 64,
      stdout: "",
      stderr: "roundtrip: list.txt is not a Roundtrip history: it is no SQLite database; it is left as it is\n",
    });
    expect(existsSync(join(cwd, "refused"))).toBe(false);
  });

  it("does not keep a run of bench that was interrupted, and says so", async () => {
    const args = `${bench.replace("--rounds 1 ", "--rounds 1000 ")} --out cut --history cut.db`.split(" ");
    const running = start(args, { cwd });
    await until(() => existsSync(join(cwd, "cut/run.json")) || undefined);
    running.signal("SIGINT");
    const { status, stderr } = await running.ended;
    expect({ status, last: stderr.trimEnd().split("\n").at(-1) }).toEqual({
      status: 130,
      last: "The run was interrupted, and is not in cut.db.",
    });
    expect(await printed("history --history cut.db")).toBe("cut.db has no runs.\n");
  });

  it("takes names and times as they are given", async () => {
    const folder = emptyFolder();
    cpSync(join(cwd, "run"), join(folder, "run"), { recursive: true });
    await printed(
      "history add run --history h.db --revision v1.4 --branch release --at 2026-02-03T04:05+01:00",
      folder,
    );
    const { stdout } = await program("history list --history h.db --json", folder);
    expect((JSON.parse(stdout) as { readonly runs: readonly unknown[] }).runs).toMatchObject([
      { revision: "v1.4", branch: "release", isDirty: null, at: "2026-02-03T03:05:00.000Z" },
    ]);
  });

  it("reports where a branch changed, by how much, how surely, and where its environment did", async () => {
    const path = steppedHistory();
    const text = await printed(`history trend --history ${path} --out trend.svg`);
    expect(text).toMatch(/\ngRPC hello: latency +40 +603 µs .*\+20 %\n/);
    expect(text).toMatch(/\nc0de00f000 +2026-01-16 00:00 +c0de00e000 +gRPC hello.*\+20 % +0\.999 → 1\.20 ms +0\.001\n/);
    expect(text).toMatch(/\nc0de01e000 +2026-01-31 00:00 +runtime: Node\.js 24 → Node\.js 26\n/);
    expect(text).toMatch(/\n\ntrend\.svg\n$/);
    const svg = readFileSync(join(cwd, "trend.svg"), "utf8");
    expect(svg).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(svg).toContain("c0de00f000");
    interface Found {
      readonly series: readonly {
        readonly armId: string;
        readonly metric: string;
        readonly changes: readonly { readonly index: number }[];
      }[];
    }
    const { series } = await document<Found>(`history trend --history ${path} --metric latencyMs,wireBytesPerTask`);
    expect(series.map(({ armId, metric, changes }) => [armId, metric, changes.map(({ index }) => index)])).toEqual([
      ["hello/hello/grpc-js/single", "latencyMs", [15]],
      ["hello/hello/rest-express/single", "latencyMs", []],
      ["hello/hello/rest-express/single", "wireBytesPerTask", []],
    ]);
    const { series: last } = await document<Found>(`history trend --history ${path} --stack grpc-js --last 20`);
    expect(last.map(({ changes }) => changes)).toEqual([[]]);
  });

  it("exports every figure in long form, as CSV and as JSON", async () => {
    const path = join(emptyFolder(), "two.db");
    {
      using history = HistoryFile.forWriting(path);
      history.add(madeRun(0, { revision: "=cmd" }), madeCells(1));
      history.add(madeRun(1), madeCells(2));
    }
    const [header, first, ...others] = (await printed(`history export --history ${path}`)).trimEnd().split("\n");
    expect(header).toMatch(/^runId,at,startedAt,revision,.*,metric,n,mean,meanLow,meanHigh,stddev,p50,p99,roundMeans$/);
    // A cell that a spreadsheet would run is text.
    expect(first).toMatch(/^run-0,.*,'=cmd,main,false,.*,latencyMs,60,1,0\.9,1\.1,0\.1,1,1,0\.9 1\.1 1 1 {2}1$/);
    expect(others).toHaveLength(7);
    const lines = await document<readonly unknown[]>(`history export --history ${path} --stack grpc-js --last 1`);
    expect(lines).toMatchObject([
      {
        runId: "run-1",
        armId: "hello/hello/grpc-js/single",
        metric: "latencyMs",
        roundMeans: [1.9, 2.1, 2, 2, null, 2],
      },
      { runId: "run-1", metric: "serverCpuMsPerTask", factors: { tls: false } },
    ]);
    expect(await printed(`history export --history ${path} --out all.json`)).toBe("all.json\n");
    expect(JSON.parse(readFileSync(join(cwd, "all.json"), "utf8"))).toHaveLength(8);
    expect(await printed(`history export --history ${path} --study none --format json`)).toBe("[]\n");
  });
});

const mistakes: readonly (readonly [commandLine: string, message: string])[] = [
  ["history lisst", 'unknown action "lisst" of history; did you mean "list"? (valid: list, add, trend, export)'],
  ["history add", "history add needs a run: roundtrip history add RUN"],
  ["history add nowhere", "there is no run at nowhere"],
  ["history list run", 'history list takes no run ("run"); history add does'],
  ["history list --study hello", "--study is for history trend, export, not for history list"],
  ["history trend --history none.db", 'there is no history at none.db: "roundtrip history add RUN" begins one'],
  [
    "history trend --history stepped.db --branch mian",
    'stepped.db has no runs of branch mian; say with --branch which (valid: main); did you mean "main"?',
  ],
  ["history trend --history stepped.db --stack soap", "no run has figures that match --stack and --metric"],
  [
    "history trend --history stepped.db --out stepped.db",
    "stepped.db would be overwritten, and this command reads it; choose another path",
  ],
  ["history export --history stepped.db --format xml", 'unknown format "xml" (valid: csv, json)'],
  [
    "history add run --at yesterday",
    '--at must be a date such as 2026-01-31 or 2026-01-31T12:00Z, got "yesterday" (see roundtrip history --help)',
  ],
  ["history list --last 0", '--last must be a whole number from 1 to 1000, got "0" (see roundtrip history --help)'],
  ["history add run --revision nope", "--revision nope: there is no such git revision in CWD"],
];

describe("a mistake on the command line", withGit, () => {
  beforeAll(() => cpSync(steppedHistory(), join(cwd, "stepped.db")));

  it.each(mistakes)("%s", async (commandLine, message) => {
    const { status, stdout, stderr } = await program(commandLine);
    const said = stderr.replace(/ in \/\S*$/m, " in CWD");
    expect({ status, stdout, said }).toEqual({ status: 64, stdout: "", said: `roundtrip: ${message}\n` });
  });

  it("is a path that cannot be written", async () => {
    expect(await program("history export --history stepped.db --out /proc/nowhere/all.csv")).toEqual({
      status: 69,
      stdout: "",
      stderr: "roundtrip: cannot write /proc/nowhere/all.csv: no such file or directory\n",
    });
  });

  it("leaves no history behind", async () => {
    await program("history add nowhere --history new.db");
    expect(existsSync(join(cwd, "new.db"))).toBe(false);
  });

  it("is to take what is checked out for what was measured, where it is younger or nothing is", async () => {
    const folder = emptyFolder();
    cpSync(join(cwd, "run"), join(folder, "run"), { recursive: true });
    const add = async (flags = "") => (await program(`history add run${flags}`, folder)).stderr;
    expect(await add()).toBe(
      "roundtrip: there is no git repository here; say with --revision and --branch what was measured\n",
    );
    gitAll(folder, "init -q -b main", "commit -q --allow-empty -m later");
    expect(await add()).toMatch(
      /^roundtrip: the run was measured before [0-9a-f]{10} was committed, which is checked out; say with --revision what was measured\n$/,
    );
    git(folder, "checkout", "-q", "--detach");
    expect(await add(" --revision main")).toBe(
      "roundtrip: no branch is checked out; say with --branch what was measured\n",
    );
  });
});
