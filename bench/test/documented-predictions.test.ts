// The predictions that the documents show: each is what its command prints, to the letter.
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "./support/source-files.ts";

const program = join(projectRoot, "packages/cli/bin/roundtrip.js");

function predict(words: string): string {
  // Flags that are set on this machine are not the document's.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("ROUNDTRIP_")));
  return execFileSync(process.execPath, [program, "predict", ...words.split(" ")], {
    cwd: projectRoot,
    encoding: "utf8",
    env: { ...env, NO_COLOR: "1" },
  });
}

const shown = globSync("docs/**/*.md", { cwd: projectRoot }).flatMap((document) =>
  [
    ...readFileSync(join(projectRoot, document), "utf8").matchAll(
      /^```sh\npnpm predict ([^\n]+)\n```\n\n```text\n(.*?)^```/gms,
    ),
  ].map(([, words = "", printed = ""]) => ({ document, words, printed })),
);

describe("docs/models.md", () => {
  it("shows every model at work", () => {
    const models = shown
      .filter(({ document }) => document === "docs/models.md")
      .map(({ words }) => words.split(" ")[0]);
    expect([...new Set(models)]).toEqual(["mm1", "mmc", "mg1", "mva"]);
  });

  it.each(shown)("shows what predict $words prints", ({ words, printed }) => {
    expect(predict(words)).toBe(printed);
  });

  it("has the picture that the example of mmc draws", () => {
    const out = mkdtempSync(join(tmpdir(), "roundtrip-predict-"));
    predict(`${shown.find(({ words }) => words.startsWith("mmc "))?.words} --out ${out}`);
    expect(readFileSync(join(projectRoot, "docs/models/response-time.svg"), "utf8")).toBe(
      readFileSync(join(out, "response-time.svg"), "utf8"),
    );
  });

  it("shows the file of the study of 1996 as it is", () => {
    const page = readFileSync(join(projectRoot, "docs/models.md"), "utf8");
    const [, file = ""] = /^```json\n(.*?)^```/ms.exec(page) ?? [];
    expect(file).toBe(readFileSync(join(projectRoot, "docs/models/one-packet.json"), "utf8"));
  });
});
