// The predictions that the documents show: each is what its command prints, to the letter.
import { globSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../packages/cli/test/support/shared-program.ts";

const projectRoot = join(import.meta.dirname, "../..");

/** What the command prints; the flags that are set on this machine are not the document's. */
async function predict(words: string): Promise<string> {
  const { status, stdout, stderr } = await run(["predict", ...words.split(" ")], {
    cwd: projectRoot,
    env: { NO_COLOR: "1" },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
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
    expect([...new Set(models)]).toEqual(["mm1", "mmc", "mva"]);
  });

  it.each(shown)("shows what predict $words prints", async ({ words, printed }) => {
    expect(await predict(words)).toBe(printed);
  });

  it("has the picture that the example of mmc draws", async () => {
    const out = mkdtempSync(join(tmpdir(), "roundtrip-predict-"));
    await predict(`${shown.find(({ words }) => words.startsWith("mmc "))?.words} --out ${out}`);
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
