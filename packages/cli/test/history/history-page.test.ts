// docs/history.md is true: its commands run in the order in which they stand there, and do what it says.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { needing } from "../../../../.ci/needs/needing.ts";
import { gitAll } from "../support/git.ts";
import { emptyFolder, type Outcome } from "../support/run-program.ts";
import { run } from "../support/shared-program.ts";

const page = readFileSync(fileURLToPath(new URL("../../../../docs/history.md", import.meta.url)), "utf8");

const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) => block.trim().split("\n"));

/** A command of the page, in a project that is a repository; measuring is as short as it can be. */
async function asWritten(command: string, cwd: string): Promise<Outcome> {
  const words = command.replace(/^npx -y pnpm@10 (?:-s )?/, "").split(" ");
  const effort = words[0] === "bench" ? ["--rounds", "1", "--calls", "20", "--quiet"] : [];
  return run([...words, ...effort], { cwd });
}

it("runs as it is written", await needing("git"), async () => {
  const cwd = emptyFolder();
  gitAll(cwd, "init -q -b main", "commit -q --allow-empty -m one");
  const said: string[] = [];
  for (const command of commands) {
    // oxlint-disable-next-line no-await-in-loop -- each needs what the one before has left
    const { status, stdout, stderr } = await asWritten(command, cwd);
    expect({ command, status }).toEqual({ command, status: 0 });
    said.push(`${stdout}${stderr}`);
  }
  const saidOf = (part: string, nth = 0): string =>
    said.filter((_, index) => commands[index]?.includes(part))[nth] ?? "";
  expect(saidOf("--history")).toContain("; .roundtrip/history.db has 1 run.\n");
  expect(saidOf("history add")).toContain("; .roundtrip/history.db has 2 runs.\n");
  expect(saidOf("history add", 1)).toContain("nothing was changed");
  expect(saidOf("history list")).toMatch(/^\.roundtrip\/history\.db: all 2 runs\n/);
  expect(saidOf("history trend")).toMatch(/^main: 2 runs\n(.*\n)+gRPC hello: latency +2 /);
  expect(saidOf("--out trend.svg")).toMatch(/\ngRPC hello: bytes +2 (.*\n)+trend\.svg\n$/);
  expect(readFileSync(join(cwd, "history.csv"), "utf8")).toMatch(/^runId,/);
  const [trend, lines] = [saidOf("trend --json"), saidOf("--format json")].map((text) => JSON.parse(text) as unknown);
  expect(trend).toMatchObject({ branch: "main", method: { name: "E-divisive", significance: 0.01 } });
  expect(new Set((lines as readonly { readonly runId: string }[]).map(({ runId }) => runId)).size).toBe(2);
});
