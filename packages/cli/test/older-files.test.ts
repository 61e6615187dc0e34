// Files as a program wrote them when arms had a stack and a title, and no ids of style, server and client: they read, and give the same figures.
import { gatherParts } from "@roundtrip/analysis";
import { readPlans } from "@roundtrip/k6";
import { loadFormat } from "@roundtrip/report/registry";
import { readRunInParts } from "@roundtrip/runner";
import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compareRunDirectories } from "../src/compare/run-directories.ts";
import { HistoryFile } from "../src/history/history-file.ts";
import { runToAdd } from "../src/history/run-to-add.ts";
import { reportInput } from "../src/output/write-report.ts";

const beforeIds = (name: string): string => fileURLToPath(new URL(`fixtures/before-ids/${name}`, import.meta.url));

async function rendered(directory: string, format: string): Promise<string> {
  const { facts, parts } = readRunInParts(directory);
  const input = reportInput(facts, await gatherParts(facts, parts), { seed: facts.seed }, []);
  return (await loadFormat(format)).render(input);
}

/** Rows of a CSV without quotes, by the names of its columns. */
function rowsOf(csv: string): readonly Readonly<Record<string, string>>[] {
  const [head = "", ...lines] = csv.trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const values = line.split(",");
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
  });
}

/** The first cells of a table's rows in Markdown. */
function namesIn(markdown: string, caption: string): readonly string[] {
  const [, table = ""] = markdown.split(`**${caption}`);
  const [, head = ""] = table.split("\n\n");
  return head
    .split("\n")
    .slice(2)
    .map((line) => line.split(" | ")[0]?.replace("| ", "") ?? "");
}

/** Which figures these are, in one order. */
function keys(cells: readonly { readonly armId: string; readonly metric: string }[]): readonly string[] {
  return cells.map(({ armId, metric }) => `${armId} ${metric}`).toSorted();
}

describe("a run of before arms carried ids", () => {
  it("has the figures that it had", async () => {
    const rows = rowsOf(await rendered(beforeIds("base"), "csv"));
    const before = rowsOf(readFileSync(beforeIds("summaries.csv"), "utf8"));
    expect(before.length).toBeGreaterThan(100);
    expect(rows).toHaveLength(before.length);
    for (const [index, row] of before.entries()) expect(rows[index]).toMatchObject(row);
  });

  it("is called by the names that it had, with what was set on its stacks, and the sign of those that had not settled", async () => {
    const report = await rendered(beforeIds("base"), "markdown");
    expect(namesIn(report, "hello: latency and cost per task").filter((name) => !name.startsWith("_"))).toEqual([
      "GraphQL†",
      "gRPC†",
      "REST (idleConnections=6)†",
      "REST (idleConnections=12)†",
      "TCP echo†",
    ]);
    expect(report).toContain("TCP echo in 1 of 3 rounds");
  });

  it("has the ids of its stacks, and their names without what was set on them", () => {
    const { facts } = readRunInParts(beforeIds("base"));
    const made = facts.arms.map(({ stack, style, server, client, stackTitle }) =>
      [stack, style, server, client, stackTitle].join(" "),
    );
    expect([...new Set(made)].toSorted()).toEqual([
      "floor floor floor floor TCP echo",
      "graphql-apollo graphql apollo undici GraphQL",
      "grpc-js grpc grpc-js grpc-js gRPC",
      "rest-express rest express undici REST",
    ]);
  });

  it("is compared as it was", async () => {
    const { cells, exact, onlyBase, onlyHead } = await compareRunDirectories(beforeIds("base"), beforeIds("head"));
    const before = JSON.parse(readFileSync(beforeIds("comparison.json"), "utf8")) as object;
    expect(before).toMatchObject({ cells: { length: 10 } });
    expect({ ...before, cells, exact, onlyBase, onlyHead }).toMatchObject(before);
  });
});

describe("a plan of before arms carried ids", () => {
  it("is read, with its seal and the variables of its servers", async () => {
    const [plan, ...others] = await readPlans(beforeIds("plan"));
    expect(others).toEqual([]);
    expect(plan?.servers.map(({ variable }) => variable)).toEqual(["GRPC_TARGET", "REST_URL", "GRAPHQL_URL"]);
    expect(plan?.arms.map(({ facts: { id, stack } }) => [id, stack])).toEqual(
      ["rest-express", "grpc-js", "graphql-apollo"].map((stack) => [
        `hello/hello/${stack}/single/matrix.cache=true`,
        stack,
      ]),
    );
  });
});

describe("a history of before arms carried ids", () => {
  it("is read, and knows its run again", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "roundtrip-older-")), "history.db");
    copyFileSync(beforeIds("history.db"), path);
    using history = HistoryFile.forWriting(path);
    const [run, ...others] = history.runs({ branch: "main", last: -1 });
    expect(others).toEqual([]);
    const revision = { revision: run?.revision ?? "", branch: "main", isDirty: null };
    const again = await runToAdd(beforeIds("base"), { revisionAt: () => Promise.resolve(revision) });
    expect(history.add(again.run, again.cells)).toMatchObject({ isNew: false, runs: 1 });
    const kept = history.cells(run?.id ?? "", {});
    const ofRest = history.cells(run?.id ?? "", { style: ["rest"], client: ["undici"] });
    expect(ofRest).toEqual(kept.filter(({ stack }) => stack === "rest-express"));
    expect(ofRest).not.toEqual([]);
    expect(history.cells(run?.id ?? "", { server: ["fastify"] })).toEqual([]);
    expect(keys(kept)).toEqual(
      keys(again.cells.map(({ arm, summary }) => ({ armId: arm.id, metric: summary.metric }))),
    );
    expect(new Set(kept.map(({ style, server, client }) => `${style}: ${server} and ${client}`))).toEqual(
      new Set([
        "floor: floor and floor",
        "graphql: apollo and undici",
        "grpc: grpc-js and grpc-js",
        "rest: express and undici",
      ]),
    );
    expect(new Set(kept.map(({ stack, title }) => `${stack}: ${title}`))).toContain(
      "rest-express: REST (new connection)",
    );
  });
});
