// The commands that the documents show: each is one that the project has, with flags that it knows. And what the first pages have to keep to.
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { projectRoot } from "./support/source-files.ts";

interface Shown {
  readonly document: string;
  readonly script: string;
  readonly flags: readonly string[];
}

const documents = ["README.md", "CONTRIBUTING.md", ...globSync("{docs,examples}/**/*.md", { cwd: projectRoot })];

const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The lines of a document's shell blocks that call the project through pnpm. */
function shownIn(document: string): Shown[] {
  const text = readFileSync(join(projectRoot, document), "utf8");
  const blocks = [...text.matchAll(/^```(?:sh|bash|console)\n(.*?)^```/gms)].map(([, block = ""]) => block);
  const calls = blocks.flatMap((block) => [
    ...block.matchAll(/^(?:\$ )?(?:npx -y pnpm@10|pnpm) (?:-s )?(?:run )?([^#\n]+)/gm),
  ]);
  return calls.map(([, words = ""]) => {
    const [script = "", ...rest] = words.trim().split(/\s+/);
    return {
      document,
      script,
      flags: rest.filter((word) => word.startsWith("--")).map((flag) => flag.split("=")[0] ?? ""),
    };
  });
}

const shown = documents.flatMap(shownIn);

describe("the commands in the documents", () => {
  it("begin, in the README, with the two that set everything up", () => {
    const [first, second] = shown.filter(({ document }) => document === "README.md").map(({ script }) => script);
    expect([first, second]).toEqual(["bench", "test"]);
  });

  it("are scripts of the project", () => {
    const unknown = shown.filter(({ script }) => !(script in scripts) && script !== "install");
    expect(unknown).toEqual([]);
  });

  it("use flags that the command explains in its help", async () => {
    const onProgram = shown.filter(
      ({ script, flags }) =>
        /^node (?:packages\/cli|bench|\.ci\/outside)\//.test(scripts[script] ?? "") && flags.length > 0,
    );
    const asked = [...new Set(onProgram.map(({ script }) => script))].map(async (script) => {
      const words = [...(scripts[script]?.split(" ").slice(1) ?? []), "--help"];
      const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: projectRoot });
      return [script, stdout] as const;
    });
    const help = new Map(await Promise.all(asked));
    const unknown = onProgram.flatMap(({ document, script, flags }) =>
      flags.filter((flag) => !help.get(script)?.includes(flag)).map((flag) => `${document}: ${script} ${flag}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe("what the README shows", () => {
  const readme = readFileSync(join(projectRoot, "README.md"), "utf8");

  it("is a real run: its text is there, figures first", () => {
    expect(readme).toMatch(/<!-- example: begin -->\n```text\nhello: time and cost of a task, in [µm]s/);
  });

  it("is the one screen that a run prints", () => {
    const [, screen = ""] = /<!-- example: begin -->\n```text\n([^`]+)```/.exec(readme) ?? [];
    const lines = screen.trimEnd().split("\n");
    expect(lines.at(-1)).toMatch(/^Report: /);
    expect(lines.length).toBeLessThanOrEqual(40);
  });

  it("has pictures that exist", () => {
    const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
    expect(pictures.length).toBeGreaterThan(0);
    for (const path of pictures) expect(readFileSync(join(projectRoot, path), "utf8")).toContain("<svg");
  });
});

describe("the pages that people read first", () => {
  it.each([
    ["README.md", 1_300],
    ["docs/architecture.md", 1_500],
  ])("%s has at most %i words", (document, most) => {
    const text = readFileSync(join(projectRoot, document), "utf8");
    expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(most);
  });
});
