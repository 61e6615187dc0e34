// What docs/your-repository.md says of contract changes: its files are saved, its commands run, and what they print is what stands there.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { section, blocksOf } from "./support/page-section.ts";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const path = fileURLToPath(new URL("../../../docs/your-repository.md", import.meta.url));
const page = section(readFileSync(path, "utf8"), "Does it break callers?");

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
