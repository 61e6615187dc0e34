// The commands that the documents show: each is one that the project has, with flags that it knows. And what the README shows of a run.
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const projectRoot = join(import.meta.dirname, "../..");

interface Shown {
  readonly document: string;
  readonly script: string;
  readonly command: string;
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
      // The first word after `fuzz` is a command.
      command: script === "fuzz" ? `fuzz ${rest[0]}` : script,
      flags: rest.filter((word) => word.startsWith("--")).map((flag) => flag.split("=")[0] ?? ""),
    };
  });
}

const shown = documents.flatMap(shownIn);

describe("the commands in the documents", () => {
  it("are scripts of the project", () => {
    const unknown = shown.filter(({ script }) => !(script in scripts) && script !== "install");
    expect(unknown).toEqual([]);
  });

  it("use flags that the command explains in its help", async () => {
    const onProgram = shown.filter(
      ({ script, flags }) =>
        /^node (?:packages\/cli|bench|\.ci\/outside)\//.test(scripts[script] ?? "") && flags.length > 0,
    );
    const helpTexts = [...new Set(onProgram.map(({ command }) => command))].map(async (command) => {
      const [script = "", ...more] = command.split(" ");
      const words = [...(scripts[script]?.split(" ").slice(1) ?? []), ...more, "--help"];
      const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: projectRoot });
      return [command, stdout] as const;
    });
    const help = new Map(await Promise.all(helpTexts));
    const unknown = onProgram.flatMap(({ document, command, flags }) =>
      flags.filter((flag) => !help.get(command)?.includes(flag)).map((flag) => `${document}: ${command} ${flag}`),
    );
    expect(unknown).toEqual([]);
  });
});

it("shows a run in the README, with a picture", () => {
  const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
  expect(readme).toMatch(/<!-- example: begin -->\n```text\n[^`]+\nReport: [^`]+```/);
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  expect(pictures.length).toBeGreaterThan(0);
  for (const path of pictures) expect(readFileSync(join(projectRoot, path), "utf8")).toContain("<svg");
});
