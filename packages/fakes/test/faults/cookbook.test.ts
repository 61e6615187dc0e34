// Runs the files and programs in docs/faults.md as they are.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtInContract } from "@roundtrip/contract";
import { afterAll, describe, expect, it } from "vitest";
import { faultPresets, faultSchemas } from "../../src/faults/fault-schema.ts";
import { readFaultPlan } from "../../src/faults/read-fault-plan.ts";

const project = fileURLToPath(new URL("../../../../", import.meta.url));
const page = readFileSync(join(project, "docs/faults.md"), "utf8");

/** The blocks of one language in a text. */
function blocksIn(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);
}

/** Files by the path in their first line. */
const files = new Map(
  blocksIn(page, "yaml").flatMap((text) => {
    const [, path] = /^# (\S+\.yaml)\n/.exec(text) ?? [];
    return path === undefined ? [] : [[path, text] as const];
  }),
);

const [prelude = "", ...recipes] = blocksIn(page, "ts");

/** The reader's folder, with the files and the packages. */
const folder = mkdtempSync(join(tmpdir(), "roundtrip-cookbook-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const [path, text] of files) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
symlinkSync(join(project, "packages/cli/node_modules"), join(folder, "node_modules"));

/** The output of a program: empty if all its assertions hold. */
async function outputOf(program: string): Promise<string> {
  writeFileSync(join(folder, "recipes.ts"), program);
  return new Promise((resolve) => {
    execFile(process.execPath, ["recipes.ts"], { cwd: folder }, (error, stdout, stderr) => {
      resolve(error === null ? stdout : `${stdout}${stderr}`);
    });
  });
}

describe("the cookbook of faults", () => {
  it("has six recipes whose programs succeed in sequence", async () => {
    expect(recipes).toHaveLength(6);
    const blocks = recipes.map((recipe, index) => `{\n${recipe}\nconsole.log("${index + 1} holds");\n}\n`);
    const expected = recipes.map((_recipe, index) => `${index + 1} holds\n`).join("");
    expect(await outputOf([prelude, ...blocks].join("\n"))).toBe(expected);
  });

  it("has valid plans", async () => {
    const plans = [...files.keys()].filter((path) => path.startsWith("faults/"));
    expect(plans).toHaveLength(7);
    for (const path of plans) {
      const plan = await readFaultPlan(join(folder, path), builtInContract(), () =>
        Promise.resolve({ measured: { valuesMs: [1] } }),
      );
      expect(Object.keys(plan)).not.toEqual([]);
    }
  });

  it("names every fault, delay and preset", () => {
    const { fault, latency } = faultSchemas();
    const names = [...Object.keys(fault.shape), ...Object.keys(latency.shape), ...Object.keys(faultPresets)];
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
  });
});
