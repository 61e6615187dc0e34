// `compare --contract`: two versions of a user's servers, or of a contract alone, by operations that both have.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareOneRound } from "./support/one-round.ts";
import { emptyFolder, type Outcome, folderWith, listening } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { thingShop as proto } from "./support/thing-shop.ts";

/** Head's contract: another operation, and another field. */
const grown = proto
  .replace("message Thing { ", "message Thing { repeated string colors = 3; ")
  .replace(
    "  rpc Buy",
    '  rpc ListThings(GetThingRequest) returns (Thing) { option (google.api.http) = { get: "/v1/things" }; }\n  rpc Buy',
  );

/** A server of the contract over REST, in plain Node.js. It prints nothing. */
const server = (answer: string, spinUs: number): string => `
import { createServer } from "node:http";
createServer((request, response) => {
  const until = performance.now() + ${spinUs} / 1_000;
  while (performance.now() < until);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(${answer}));
}).listen(Number(process.argv[2]), "127.0.0.1");
`;

const thing = '{ id: "1", name: "Lamp" }';
const serve = ["--serve", `"${process.execPath}" server.mjs {port}`];

/** A version in a folder: its contract, and its server. */
function version(contract: string, program: string): string {
  return folderWith({ "api/shop.proto": contract, "server.mjs": program });
}

function sides(base: string, head: string): readonly string[] {
  return [`dir=${base}`, `dir=${head}`, "--contract", "api", "--stack", "rest"];
}

async function compare(
  base: string,
  head: string,
  ...words: readonly string[]
): Promise<Outcome & { readonly cwd: string }> {
  const cwd = emptyFolder();
  return { ...(await run(["compare", ...sides(base, head), ...words, "--out", "run"], { cwd })), cwd };
}

interface Comparison {
  readonly verdict: string;
  readonly warnings: readonly { readonly message: string }[];
}

function comparisonIn(cwd: string): Comparison {
  return JSON.parse(readFileSync(join(cwd, "run", "comparison.json"), "utf8")) as Comparison;
}

/** Rounds decide, on however slow a machine: a verdict takes eight at least, and at this level no more. */
const decided = ["--budget", "4m", "--alpha", "40%", "--metric", "serverCpuMsPerTask"];
const patienceMs = 600_000;

describe("compare --contract", () => {
  it(
    "fails the operation of a foreign contract that costs more, and lists what only one version has",
    { timeout: patienceMs },
    async () => {
      const base = version(proto, server(thing, 0));
      const head = version(grown, server(thing.replace("}", ', colors: ["red"] }'), 1_000));
      const { status, stdout, stderr, cwd } = await compare(base, head, ...serve, ...decided);
      expect(stderr).toContain("only in head, and not compared: ListThings\n");
      expect(stderr).toContain("Left out: Buy: may write");
      expect(stdout).toMatch(/FAIL[^]*GetThing/);
      expect(status).toBe(1);
      const { verdict, warnings } = comparisonIn(cwd);
      expect(verdict).toBe("fail");
      expect(warnings.map(({ message }) => message)).toContain("only in head, and not compared: ListThings");
    },
  );

  it("gives no number when the servers answer otherwise", async () => {
    const base = version(proto, server(thing, 0));
    const head = version(proto, server('{ id: "1", name: "Chair" }', 0));
    const { status, stderr } = await compare(base, head, ...serve, "--operations", "Buy");
    expect(stderr).toContain(
      'do not answer alike: "name" is "Lamp" and "Chair"; no number is given; if head is meant to answer otherwise, add --answers-may-differ Buy\n',
    );
    expect(status).toBe(3);
  });

  it("measures answers that are meant to differ, and warns of them", { timeout: patienceMs }, async () => {
    const base = version(proto, server(thing, 0));
    const head = version(proto, server('{ id: "1", name: "Chair" }', 0));
    // Buy is left out, as it may write.
    const words = ["compare", ...sides(base, head), ...serve, "--answers-may-differ", "GetThing,Buy"];
    const { comparison } = await compareOneRound(words, {});
    expect(new Set(comparison.cells.map(({ task }) => task))).toEqual(new Set(["GetThing"]));
    const warnings = comparison.warnings.map(({ message }) => message);
    expect(warnings.filter((message) => message.includes("--answers-may-differ"))).toEqual([
      "GetThing: the answers of base and head were not compared, as --answers-may-differ asks, so that they may not do the same work",
    ]);
  });

  it(
    "compares the fakes of two contracts where nothing serves: the answers are those of head",
    { timeout: patienceMs },
    async () => {
      const [base, head] = [version(proto, ""), version(grown, "")];
      await writeFile(join(head, "unused.txt"), "");
      const words = ["compare", ...sides(base, head), "--operations", "GetThing,ListThings"];
      const { comparison, stderr } = await compareOneRound(words, {});
      expect(stderr).not.toContain("roundtrip: ");
      expect(new Set(comparison.cells.map(({ task }) => task))).toEqual(new Set(["GetThing"]));
    },
  );

  it("measures a mix of tasks, and lists what only head has of a mix or a task", { timeout: patienceMs }, async () => {
    const tasks = `tasks:
  - name: window
    mix:
      - { operation: GetThing, share: 3, requests: [{ id: "1" }, { id: "2", language: de }] }
      - { operation: ListThings }
      - { operation: Buy, requests: [{ id: "1" }] }
  - { name: translated, variants: { single: [{ operation: GetThing, request: { id: "1", language: de } }] } }
`;
    const folder = folderWith({ "tasks.yaml": tasks });
    const base = version(proto, server(thing, 0));
    const head = version(
      grown.replace("string id = 1; }\n", "string id = 1; string language = 2; }\n"),
      server(thing, 0),
    );
    // A task that head alone has may be named in the commit that adds it.
    const differing = ["--answers-may-differ", "translated"];
    const words = ["compare", ...sides(base, head), ...serve, "--tasks", join(folder, "tasks.yaml"), ...differing];
    const { comparison, stderr } = await compareOneRound(words, {});
    for (const left of [
      "Left out of window: it sends shop.v1.GetThingRequest.language, which is only in head",
      "Left out of window: it calls shop.v1.Shop.ListThings, which is only in head",
      "Left out: translated: it sends shop.v1.GetThingRequest.language, which is only in head",
    ]) {
      expect(stderr).toContain(left);
    }
    expect(new Set(comparison.cells.map(({ task, variant }) => `${task} ${variant}`))).toEqual(new Set(["window mix"]));
  });

  it(
    "compares servers that run already by latency, and writes to none of them unasked",
    { timeout: patienceMs },
    async () => {
      const folder = version(proto, server(thing, 0));
      const called = new Map<string, number>();
      const answering = (name: string): Server =>
        createServer(({ method }, response) => {
          called.set(`${name} ${method}`, (called.get(`${name} ${method}`) ?? 0) + 1);
          response.setHeader("content-type", "application/json").end('{ "id": "1", "name": "Lamp" }');
        });
      await using base = answering("base");
      await using head = answering("head");
      const targets = [`rest=${await listening(base)}`, `rest=${await listening(head)}`];
      const operations = ["--contract", join(folder, "api"), "--operations", "GetThing,Buy"];
      const { comparison } = await compareOneRound(["compare", ...targets, ...operations], {});
      expect(comparison.cells).toMatchObject([{ task: "GetThing", metric: "latencyMs" }]);
      expect([...called.keys()].toSorted()).toEqual(["base GET", "head GET"]);
      expect(called.get("head GET")).toBeGreaterThan(20);
    },
  );

  it.each([
    [
      ["rest=http://127.0.0.1:9", "grpc=http://127.0.0.1:9"],
      "BASE and HEAD must have addresses of the same stacks; only one has rest-express",
    ],
    [
      ["rest=http://127.0.0.1:9", "rest=http://127.0.0.1:8", "--stack", "rest"],
      "the targets say which stacks are compared: leave out --stack",
    ],
    [
      ["rest=http://127.0.0.1:9", "rest=http://127.0.0.1:8", "--serve", "x"],
      "--build and --serve are for revisions and folders: leave them out, or the targets",
    ],
    [
      ["rest=http://127.0.0.1:9,ca=none.pem", "rest=http://127.0.0.1:8"],
      "cannot read the certificate authority none.pem",
    ],
  ])("%j is wrong usage of targets", async (words, message) => {
    const { status, stderr } = await run(["compare", ...words]);
    expect(stderr).toContain(message);
    expect(status).toBe(64);
  });

  it.each([
    [["--study", "hello"], "--study names studies of this project's contract: remove it, or --contract"],
    [["--answers-may-differ", "GetThig"], 'unknown task "GetThig"; did you mean "GetThing"? (valid: GetThing, Buy)'],
    [["--serve", "a", "--serve", "b"], "--serve: two commands for all stacks"],
    [
      ["--operations", "GetThing", "--tasks", "tasks.yaml"],
      "--operations chooses what is measured without a task file",
    ],
  ])("%j is wrong usage", async (words, message) => {
    const folder = version(proto, server(thing, 0));
    const { status, stderr } = await compare(folder, folder, ...words);
    expect(stderr).toContain(message);
    expect(status).toBe(64);
  });
});
