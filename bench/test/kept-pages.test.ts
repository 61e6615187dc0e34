// Pages that are written from a run and kept: they match the current code, as far as a test can check without another run.
import { conformanceCases } from "@roundtrip/conformance";
import { knownStack, libraryStacks, stackNames } from "@roundtrip/stacks";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allowancesOn } from "../../.ci/outside/judge.ts";
import { loadSuite, suiteNames } from "../../.ci/outside/suites.ts";
import { tableRows } from "./support/markdown-table.ts";
import { projectRoot } from "./support/source-files.ts";

function page(name: string): string {
  return readFileSync(join(projectRoot, "docs", name), "utf8");
}

/** A cell has the sign of most stacks, and lines of signs with the names of others. */
const signsOf = (stack: string, cell: string): string => {
  const [usual = "", ...others] = cell.split("<br>");
  const own = others.find((line) => line.split(/[ ,]+/).includes(stack));
  return (own ?? usual).replace(/ [a-z].*$/, "");
};

describe("docs/conformance.md (written by `pnpm conform:page`)", () => {
  const text = page("conformance.md");
  const rows = tableRows(text);
  const cases = rows.filter(([id = ""]) => id.startsWith("RT-"));
  const stacks = rows.filter(([stack = ""]) => stackNames().includes(stack));

  const styles = [...new Set(stackNames().map((name) => knownStack(name).style))];
  it("has every case, with its level and its title, area by area in the order of ids", () => {
    const areas = [...new Set(conformanceCases.map(({ area }) => area))];
    const registered = areas.flatMap((area) => conformanceCases.filter((one) => one.area === area));
    expect(cases.map(([id, level, title]) => [id, level, title])).toEqual(
      registered.map(({ id, level, title }) => [id, level, title]),
    );
    expect(text).toContain(`\n${conformanceCases.length} cases, `);
  });

  it("has every stack", () => {
    expect(stacks.map(([stack]) => stack)).toEqual(stackNames());
    for (const row of cases) expect(row).toHaveLength(3 + styles.length);
  });

  it("counts for every stack, plain and over TLS, what its rows say", () => {
    const halves = [0, 1] as const;
    const counted = stacks.map(([stack = ""]) => {
      const column = 3 + styles.indexOf(knownStack(stack).style);
      const cells = cases.map((row) => signsOf(stack, row[column] ?? "").split(" / "));
      const counts = halves.map((half) => {
        const signs = cells.map((both) => both[half] ?? both[0]);
        const having = (sign: string): number => signs.filter((found) => found?.startsWith(sign)).length;
        return `${having("✓")} pass, ${having("✗")} fail, ${having("–")} skip`;
      });
      return [stack, ...counts];
    });
    expect(stacks).toEqual(counted);
  });

  it("gives every reason that a row refers to, and no other", () => {
    const used = new Set([...text.matchAll(/\[(\d+)\]\(#reasons\)/g)].map(([, number]) => Number(number)));
    const given = [...(text.split("\n## Reasons\n")[1] ?? "").matchAll(/^(\d+)\. \S/gm)].map(([, number]) =>
      Number(number),
    );
    expect([...used].toSorted((a, b) => a - b)).toEqual(given);
  });
});

describe("docs/outside-suites.md (its figures written by `pnpm outside --keep`)", () => {
  const rows = tableRows(page("outside-suites.md"));
  const described = rows.filter(([suite = ""]) => suite.startsWith("`"));
  const figures = rows.filter(([suite = ""]) => suiteNames().includes(suite));

  it("describes every suite, and has figures of each as continuous integration runs it", () => {
    expect(described.map(([suite = ""]) => suite.replaceAll("`", "")).toSorted()).toEqual(suiteNames());
    const commands = figures.map((row) => row.at(-1));
    expect(commands).toEqual(expect.arrayContaining(suiteNames().map((name) => `\`pnpm outside ${name}\``)));
  });

  it.each(suiteNames())("counts what %s checks, and what it allows", async (name) => {
    const { size, allowed } = await loadSuite(name);
    for (const [, servedBy = "", , figure = "", deviations] of figures.filter(([suite]) => suite === name)) {
      const [, checked = ""] = /^[\d,]+ of ([\d,]+) /.exec(figure) ?? [];
      const count = Number(checked.replaceAll(",", ""));
      const allowances = allowancesOn(servedBy.split(", "), allowed);
      expect([size ?? count, String(allowances.length)]).toEqual([count, deviations]);
    }
  });
});

it("docs/libraries.md (written by `pnpm libraries`) has every server and client library", async () => {
  const measured = new Set(tableRows(page("libraries.md")).map(([arm = ""]) => arm.replace(/†| \(\w+=.*\)/g, "")));
  const stacks = await libraryStacks();
  expect(stacks.map(({ title }) => title).filter((title) => !measured.has(title))).toEqual([]);
});
