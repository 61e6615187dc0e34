// What docs/your-repository.md says of contract changes: its files are saved, its commands run, and what they print is what stands there.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { blocksOf, readPage, section } from "./support/page-section.ts";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const page = section(readPage("your-repository.md"), "Does it break callers?");
const blocks = (language: string): readonly string[] => blocksOf(page, language);

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
  const typed = (line: string) => run(line.trim().replace("roundtrip ", "").split(" "), { cwd });
  expect(await typed(check)).toMatchObject({ status: 1, stdout: printed, stderr: "" });

  writeFileSync(join(cwd, "breaks.yaml"), allowance);
  expect(await typed(second)).toMatchObject({ status: 0, stderr: "" });
});
