// docs/breaking-changes.md, followed as a new user would: its files are saved, its commands run, and what they print is what stands there.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const page = readFileSync(fileURLToPath(new URL("../../../docs/breaking-changes.md", import.meta.url)), "utf8");

function blocks(language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}

it("shows what a change breaks, and how one is allowed", await needing("bash", "git"), async () => {
  const [contract = ""] = blocks("proto");
  const [printed = ""] = blocks("text");
  const [allowance = ""] = blocks("yaml");
  const [first = "", second = ""] = blocks("sh");
  const [change = "", check = ""] = first.split("\n");
  const cwd = emptyFolder();
  mkdirSync(join(cwd, "old"));
  writeFileSync(join(cwd, "old", "shop.proto"), contract);
  execFileSync("bash", ["-c", change], { cwd });
  const typed = (line: string) => run(line.trim().replace("npx -y pnpm@10 -s ", "").split(" "), { cwd });
  expect(await typed(check)).toMatchObject({ status: 1, stdout: printed, stderr: "" });

  writeFileSync(join(cwd, "breaks.yaml"), allowance);
  expect(await typed(second)).toMatchObject({ status: 0, stderr: "" });
});
