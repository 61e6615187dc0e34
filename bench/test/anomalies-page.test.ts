// The page that shows anomalies made on purpose: it has every cell of its studies, and the pictures.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadStudy, studyGroups } from "../index.ts";
import { tableRows } from "./support/markdown-table.ts";
import { projectRoot } from "./support/source-files.ts";

const docs = join(projectRoot, "docs");
const text = readFileSync(join(docs, "anomalies.md"), "utf8");
const studies = studyGroups().get("anomalies") ?? [];

function cellsOf(rows: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(rows.map(([, callers, thinkMs]) => `${callers} ${thinkMs}`))].toSorted();
}

describe("docs/anomalies.md (renewed by `pnpm anomalies`)", () => {
  it("shows three studies, each with its command", () => {
    expect(studies).toHaveLength(3);
    for (const study of studies) expect(text).toContain(`\npnpm bench ${study} --seed 1996\n`);
  });

  it.each(studies)("has every combination of callers and think time of %s", async (study) => {
    const [, after = ""] = text.split(`<!-- ${study}: begin -->`);
    const [shown = ""] = after.split(`<!-- ${study}: end -->`);
    const { tasks } = await loadStudy(study);
    const cells = tasks.map(({ callers, load }) => ["", String(callers), String(load?.pacer.factors["thinkMs"])]);
    expect(cellsOf(tableRows(shown))).toEqual(cellsOf(cells));
  });

  it.each(studies)("has the picture of %s", (study) => {
    expect(text).toContain(`](anomalies/${study}.svg)`);
    expect(readFileSync(join(docs, "anomalies", `${study}.svg`), "utf8")).toContain("<svg");
  });
});
