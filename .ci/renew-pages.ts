// Renews the run in README.md, and the figures and pictures of docs/libraries.md, docs/linked.md and docs/publications.md. `pnpm pages` measures their runs,
// `pnpm pages NAME` one of them.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { RunFacts } from "../packages/runs/src/index.ts";
import { readRun } from "../packages/runs/src/run-file.ts";
import { namesArgument, programNamed, run } from "../bench/program.ts";
import { referenceOf } from "../bench/published.ts";

const root = join(import.meta.dirname, "..");

/** A finished run, as the page shows it. */
interface Finished {
  readonly facts: RunFacts;
  /** Its report in Markdown. */
  readonly report: string;
  /** What the program prints of it. */
  readonly screen: string;
}

type Blocks = Readonly<Record<string, (finished: Finished) => string>>;

interface PageRun {
  /** The page and the folder of its pictures, without the ending; `example` is in README.md. */
  readonly page: "example" | "libraries" | "linked" | "publications";
  /** What follows `roundtrip bench`. */
  readonly words: readonly string[];
  readonly pictures: readonly string[];
  /** The parts of the page that it renews. */
  readonly blocks: Blocks;
  /** The parts of README.md that it renews, beside its page. */
  readonly inReadme?: Blocks;
  /** Of the publication, whose section's prose is held against the report. */
  readonly year?: number;
}

/** Replaces the lines of a page between `<!-- NAME: begin -->` and `<!-- NAME: end -->`. Throws an Error if the marks are missing. */
function withBlock(text: string, name: string, lines: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->\n`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the page lacks ${begin.trim()} or, after it, ${end}`);
  // Code needs no empty lines around it.
  const space = lines.startsWith("```") ? "" : "\n";
  return `${text.slice(0, from)}${begin}${space}${lines}\n${space}${text.slice(to)}`;
}

/** A table of the report without its caption. @param part what its rows must match */
function tableOf(caption: string, part = /(?:)/): (finished: Finished) => string {
  return ({ report }) => {
    const heading = `**${caption}**\n\n`;
    const from = report.indexOf(heading);
    if (from === -1) throw new Error(`the report has no table "${caption}"`);
    const [table = ""] = report.slice(from + heading.length).split("\n\n");
    const [head = "", rule = "", ...rows] = table.trimEnd().split("\n");
    const shown = [head, rule, ...rows.filter((row) => part.test(row))];
    return shown.join("\n").replaceAll(" round-trip time", "");
  };
}

/** What the report claims in sentences that match. */
function claimed(pattern: RegExp): (finished: Finished) => string {
  return ({ report }) => {
    const sentences = [...report.matchAll(/^- \*\*(?:clear|likely)\*\*: (.+)$/gm)].map(([, text = ""]) => text);
    const found = sentences.filter((text) => pattern.test(text));
    if (found.length === 0) throw new Error(`the report claims nothing like ${String(pattern)}`);
    const brief = found.map((text) =>
      text.replace(/^For a statement(?: by|,) (.)/, (_, first: string) => first.toUpperCase()),
    );
    return brief.map((text) => `- ${text}`).join("\n");
  };
}

/** The first lines of advice, as the screen breaks them. */
function firstAdvice({ screen }: Finished): string {
  const lines = screen.split("\n");
  const begin = lines.findIndex((line) => /^what follows$/i.test(line)) + 1;
  const ends = lines.flatMap((line, at) => (at > begin && /^(?:[-!]|$)/.test(line) ? [at] : []));
  return ["```text", ...lines.slice(begin, ends[1]), "```"].join("\n");
}

/** The command, the day, the machine and the versions. */
function circumstances({ facts }: Finished): string {
  const { command, startedAt, roundsDone, durationMs, environment } = facts;
  const { cpuModel, cores, runtime, libraries, generators = [] } = environment;
  const programs = new Set(generators.map(({ name, version }) => `${name} ${version ?? ""}`.trimEnd()));
  const versions = [...Object.entries(libraries).map(([name, version]) => `${name} ${version}`), ...programs];
  return [
    `\`${command.replace(/ --out \S+/, "")}\` on ${startedAt.slice(0, 10)}: ${roundsDone} rounds in ${Math.round(durationMs / 1000)} s on ${cpuModel}, ${cores} cores, ${runtime}.`,
    `${versions.join(", ")}.`,
  ].join("\n\n");
}

/** The command, how long it took and when. */
function duration({ facts: { command, startedAt, roundsDone, durationMs } }: Finished): string {
  const named = command.replace(/ --(out|seed) \S+| --quiet/g, "");
  return `\`${named}\`: ${roundsDone} rounds in ${Math.round(durationMs / 1000)} s, ${startedAt.slice(0, 10)}.`;
}

/** The findings of publications, each with what the run shows of it. */
function findings({ report }: Finished): string {
  const claims = /^- \*\*(holds|does not hold|cannot tell)\*\*: (.+?)\. Here: (.+)\.$/gm;
  const rows = [...report.matchAll(claims)].map(([, verdict = "", finding = "", why = ""]) => [
    finding,
    verdict,
    // Of many cells, their numbers, and of some, the least.
    /^[^;]+/.exec(why)?.[0] ?? why,
  ]);
  if (rows.length === 0) throw new Error("the report judges no finding");
  const head = ["finding", "verdict", "in this run"];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** How claims begin that are about what the authors left open. */
const beyondTheirs = /^(?:left \w+ (?:\w+ )?|suspected )there: /;
/** What claims have in common that repeat a design as it was. */
const byTheirProcedure = ", by the published procedure";

function headed(heading: string, claims: readonly string[]): readonly string[] {
  return claims.map((claim, at) => (at === 0 ? `*${heading}:* ${claim}` : claim));
}

/** The claim without what this run and the authors' figures add to it. */
function bare(claim: string): string {
  return claim.replace(byTheirProcedure, "").replace(/(?: \{.*?\})?(?: – it holds over .*?)?(?: [✓✗])?$/, "");
}

/** What a run shows of a claim, from the least of its cells to the largest, in one word where there is one; in braces, which claims have not. */
function shownFigure(here: string): string {
  const values = [...here.matchAll(/(−?[\d.,]+) \(−?[\d.,]+ to −?[\d.,]+\)(?: × ([\d.,]+ [mµ]?s))? for /g)];
  const [first] = values;
  if (first === undefined) return "";
  const [least, most] = [first[1], values.at(-1)?.[1]];
  const unit = /^(?:.*; )?(?:ratios|measured over|simulated over) /.test(here) ? "×" : "";
  const kind = /(?:^|; )powers of /.test(here) ? "power " : "";
  const work = first[2] === undefined ? "" : ` ${first[2]}`;
  return ` {${kind}${least === most ? least : `${least}–${most}`}${unit}${work}}`;
}

/** The report has the limits. */
function withoutLimits(claim: string): string {
  return claim.replaceAll(/ \([^`)]*\)/g, "");
}

function isSame(one: string, other: string): boolean {
  return one.replace(/ \{.*?\}/, "") === other.replace(/ \{.*?\}/, "");
}

/** Names claims in one sentence: the authors', those by the published procedure if they are not the same by a sound one, and what they left open. */
function lineOf(title: string, claims: readonly string[]): readonly string[] {
  const brief = claims
    .map(withoutLimits)
    .filter((claim, at, all) => all.findIndex((other) => isSame(other, claim)) === at);
  const own = brief.filter((claim) => !beyondTheirs.test(claim));
  const sound = own.filter((claim) => !claim.includes(byTheirProcedure));
  const strict = own
    .filter((claim) => claim.includes(byTheirProcedure) && !sound.some((other) => bare(other) === bare(claim)))
    .map((claim) => claim.replace(byTheirProcedure, ""));
  const beyond = brief.filter((claim) => beyondTheirs.test(claim)).map((claim) => claim.replace(beyondTheirs, ""));
  const parts = [...sound, ...headed("by their procedure", strict), ...headed("beyond theirs", beyond)];
  const text = parts.join("; ").replaceAll("{", "(").replaceAll("}", ")");
  return claims.length === 0 ? [] : [`- **${title}**: ${text}.`];
}

/** A claim as the report judges it. `command` shows what this run cannot, `needs` what nothing can show; `theirs` is the verdict by the authors' own figures. */
interface Judged {
  readonly verdict: string;
  readonly claim: string;
  readonly needs?: string;
  readonly command?: string;
  readonly theirs?: string;
  /** What the run shows. */
  readonly here?: string;
}

const judgedClaims =
  /^- \*\*(?<verdict>holds|does not hold|cannot tell)\*\*: (?<claim>.+?)\. (?:Here: (?<here>(?:(?! Their own figures).)+)|It needs (?<needs>.+?)(?:: roundtrip (?<command>[\w ,.=-]+))?\.$|This run)(?:.* Their own figures: (?<theirs>[a-z ]+)[;.])?/gm;

/** All claims of a publication, a line for each verdict, with a mark where its own figures decide. */
function verdicts(year: number): (finished: Finished) => string {
  const { studies, claims } = referenceOf(year);
  return ({ report }) => {
    // Where two studies judge a claim, the first repeats its design.
    const judged = [...report.matchAll(judgedClaims)]
      .map(({ groups }) => groups as unknown as Judged)
      .filter(({ claim }, at, all) => all.findIndex((earlier) => earlier.claim === claim) === at);
    if (judged.length === 0) throw new Error("the report judges no claim");
    const marks: Readonly<Record<string, string>> = { holds: " ✓", "does not hold": " ✗" };
    const here = (wanted: string): readonly string[] =>
      judged
        .filter(({ verdict, command }) => verdict === wanted && command === undefined)
        .map(({ claim, theirs = "", needs, here: shown }) => {
          if (needs !== undefined) return `${claim} {missing}`;
          if (shown === undefined) return `${claim} {void}${marks[theirs] ?? ""}`;
          const styles = /; it holds over ([^.;]+)\./.exec(shown)?.[1];
          const among = styles === undefined ? "" : ` – it holds over ${styles}`;
          return `${claim}${shownFigure(shown)}${among}${marks[theirs] ?? ""}`;
        });
    const apart = claims
      .filter((claim) => !claim.studies.some((study) => studies.includes(study)))
      .map(({ found, studies: [study = ""] }) => ({ claim: found, command: `bench ${study}` }))
      .filter(({ claim }) => !judged.some((earlier) => withoutLimits(earlier.claim) === withoutLimits(claim)));
    const elsewhere = Map.groupBy(
      [...judged.filter(({ command }) => command !== undefined), ...apart],
      ({ command }) => command,
    );
    const shownElsewhere = [...elsewhere].map(
      ([command, needing]) => `${needing.map(({ claim }) => claim).join("; ")} (\`pnpm ${command}\`)`,
    );
    return [
      ...lineOf("Holds", here("holds")),
      ...lineOf("Does not hold", here("does not hold")),
      ...lineOf("Cannot tell", here("cannot tell")),
      ...lineOf("Elsewhere", shownElsewhere),
    ].join("\n");
  };
}

interface Paper {
  /** Its tables in the report by the names of their blocks, with what their rows must match. */
  readonly tables: Readonly<Record<string, readonly [caption: string, rows?: RegExp]>>;
  readonly picture: string;
  /** What else it shows. */
  readonly more?: Blocks;
}

/** The run of one publication: its tables beside ours, its claims, and a picture. */
function paper(year: number, { tables, picture, more = {} }: Paper): PageRun {
  const tableBlocks = Object.entries(tables).map(([name, [caption, rows]]) => [
    `${year} ${name}`,
    tableOf(caption, rows),
  ]);
  return {
    page: "publications",
    words: [`paper:${year}`],
    pictures: [picture],
    year,
    blocks: {
      [`${year} run`]: duration,
      ...Object.fromEntries(tableBlocks),
      ...more,
      [`${year} claims`]: verdicts(year),
    },
  };
}

/** The errors of the model's predictions: of all their cells, and of the rows that the publication has. */
function modelErrors({ report }: Finished): string {
  const cells = [...report.matchAll(/Absolute error, median and 90th percentile: (.+)\.$/gm)].map(([, text = ""]) =>
    text
      .replaceAll(/ \(largest [^)]*\)|, largest [^)]*/g, "")
      .replaceAll(/\(([^()]+) of the (\d+) whose blocks show no disturbance/g, "($2 undisturbed: $1")
      .replaceAll(/ of 12 cells over REST \(idleConnections=(\d+)\)(?: \([^)]*\))?/g, " over REST with $1 idle"),
  );
  const rows = /Their legible rows: (.+?);/.exec(report);
  const ours = /gRPC†?: (\S+ % on average.+?);/.exec(report);
  if (cells.length === 0 || rows === null || ours === null) throw new Error("the report has no errors of predictions");
  return `Absolute errors of predictions, median and 90th percentile: ${cells.join("; ")}. Their rows: ${rows[1]}; ours over gRPC: ${ours[1]}.`;
}

/** What a section's prose says in figures: a range, or one with a fraction or as a share. */
const proseFigures = /(\d[\d,.]*) to (\d[\d,.]*\d)|(\d[\d,]*\.\d+|\d+(?= %))/g;

/** Whether a value is the figure to the digits that the figure has. */
function isAbout(figure: string, value: string): boolean {
  const [asked, found] = [figure, value].map((text) => Number(text.replaceAll(",", "")));
  const digits = figure.split(".")[1]?.length ?? 0;
  return found?.toFixed(digits) === asked?.toFixed(digits);
}

/** The figures in a section's prose that are neither in a claim of the report nor the authors'. */
function missingFigures(section: string, report: string, authors: string): readonly string[] {
  const prose = section.replaceAll(/<!-- (.+): begin -->[^]*?<!-- \1: end -->/g, "");
  const claims = report.match(/^- \*\*(?:holds|does not hold|cannot tell).*/gm) ?? [];
  const numbers = /\d[\d,]*(?:\.\d+)?/g;
  const known = [...claims, authors].flatMap((text) => text.match(numbers) ?? []);
  const ranges = claims.flatMap((text) => [...text.matchAll(/(\d[\d,.]*) to (\d[\d,.]*\d)/g)]);
  const isKnown = ([, low = "", high = "", only = ""]: RegExpExecArray): boolean =>
    only === ""
      ? ranges.some(([, from = "", to = ""]) => isAbout(low, from) && isAbout(high, to))
      : known.some((value) => isAbout(only, value));
  return [...prose.matchAll(proseFigures)].filter((figure) => !isKnown(figure)).map(([text]) => text);
}

const runs: Readonly<Record<string, PageRun>> = {
  example: {
    page: "example",
    words: [],
    pictures: ["latency-hello-hello"],
    blocks: { example: ({ screen }) => `\`\`\`text\n${screen}\n\`\`\`` },
  },
  libraries: {
    page: "libraries",
    words: ["libraries"],
    pictures: ["floor-libraries-hello", "cpu-libraries-hello"],
    blocks: {
      run: circumstances,
      styles: tableOf("hello: style against style"),
      // The pictures have the bounds.
      choices: tableOf("hello: what the choice of a library changes", /^(?!.*\(bound\))/),
    },
  },
  linked: {
    page: "linked",
    words: ["linked", "--rounds", "6"],
    pictures: ["curve-linked-statement-by-invoices"],
    blocks: {
      run: circumstances,
      distance: tableOf("linked: statement over distance: mean latency per task, in ms"),
      "break-evens": claimed(/^For a statement\b.*the façade is faster than /),
      findings,
    },
    inReadme: { linked: firstAdvice },
  },
  "2010": paper(2010, {
    tables: {
      table: ["Rablou 2010, beside facade strict", /^\| façade, 1 |^\| (?:façade|chatty), 6 |first call, least/],
    },
    picture: "shape-facade-strict-read",
  }),
  "2020": paper(2020, {
    tables: {
      table: ["Djurhuus and Lørup 2020, beside hello strict"],
      sound: ["Djurhuus and Lørup 2020, beside hello styles"],
    },
    picture: "latency-hello-styles-hello",
  }),
  "2009": paper(2009, {
    tables: {
      table: [
        "WCF 2009, beside hosts",
        /short text, binary TCP, 1 ms|, (?:binary TCP|HTTP, streamed there|HTTPS?, streamed there, closed after each call|binary TCP, streamed both ways there), 200 ms /,
      ],
      asking: ["WCF 2009, beside hosts expect", /^\| (?:short text|277 KB), HTTP, (?:1|200) ms /],
      gaps: ["WCF 2009, counted, beside hosts windows", /^\| download, gaps over (?:200|100|50|1) /],
    },
    picture: "curve-hosts-hello",
  }),
  "2015": paper(2015, {
    tables: {
      table: [
        "Crombé and Declercq 2015, counted, beside uplink",
        /^\| behind the uplink, matrix\.threads: (?:1|2|16) /,
      ],
      plateaus: ["Crombé and Declercq 2015, counted, beside load"],
    },
    picture: "response-load-rates-power",
  }),
  "1996": paper(1996, {
    tables: {
      table: [
        "Khandker and Teorey 1996, predicted and measured, beside concurrency table",
        /^\| (?:1 packet, callers: 1, think time, ms: 0|[16] packets?, callers: 9, think time, ms: (?:0|9|36)) /,
      ],
      figure: [
        "Khandker and Teorey 1996, beside pool packets",
        /^\| [36] packets, (?:with the fault|mended, callers: 3, think time, ms: (?:9|18)) ?/,
      ],
    },
    picture: "think-anomalies-pool-hello",
    more: { "1996 errors": modelErrors },
  }),
};

/** Runs the program in the folder of a run directory. */
function roundtrip(cwd: string, ...words: readonly string[]): string {
  return execFileSync(process.execPath, [join(root, "packages/cli/bin/roundtrip.js"), ...words], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1" },
  });
}

function renewBlocks(page: string, blocks: Blocks, finished: Finished): void {
  const path = join(root, page);
  const text = Object.entries(blocks).reduce(
    (written, [block, linesOf]) => withBlock(written, block, linesOf(finished)),
    readFileSync(path, "utf8"),
  );
  writeFileSync(path, text);
}

/** What was measured anew may differ from what was written of an earlier run. */
function noteMissingFigures(page: string, year: number, { report }: Finished): void {
  const [, section = ""] = readFileSync(join(root, page), "utf8").split(`\n## ${year}: `);
  const missing = missingFigures(section.split("\n## ")[0] ?? "", report, JSON.stringify(referenceOf(year)));
  if (missing.length > 0)
    console.error(`${page}, ${year}: no claim of the report has these figures of the prose: ${missing.join(", ")}`);
}

/** @param directory relative to the workspace, as a reader has it: its lines are broken at the same words. */
async function renew(pageRun: PageRun, workspace: string, directory: string): Promise<void> {
  const { blocks, inReadme = {}, pictures, year, page: name } = pageRun;
  const path = join(workspace, directory);
  const { facts } = await readRun(path);
  const screen = roundtrip(workspace, "report", directory).trimEnd();
  const finished = { facts, report: readFileSync(join(path, "report.md"), "utf8"), screen };
  renewBlocks(name === "example" ? "README.md" : `docs/${name}.md`, blocks, finished);
  renewBlocks("README.md", inReadme, finished);
  if (year !== undefined) noteMissingFigures(`docs/${name}.md`, year, finished);
  const folder = join(root, "docs", name);
  mkdirSync(folder, { recursive: true });
  for (const picture of pictures) copyFileSync(join(path, "plots", `${picture}.svg`), join(folder, `${picture}.svg`));
}

/** Measures a run, or takes it from a run directory, and renews its page. */
async function renewFrom(name: string, pageRun: PageRun, from: string | undefined): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), "roundtrip-pages-"));
  const directory = join("runs", name);
  try {
    mkdirSync(join(workspace, "runs"));
    const words = [...pageRun.words, "--seed", "2020", "--quiet"];
    if (from === undefined) roundtrip(workspace, "bench", ...words, "--out", directory);
    else symlinkSync(resolve(from), join(workspace, directory));
    await renew(pageRun, workspace, directory);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

await run(
  programNamed(
    "pages",
    "Measures the runs that README.md and pages of docs show, and renews their figures and pictures.",
  )
    .addArgument(namesArgument("[name...]", "which runs; all unless named, in some twenty minutes", Object.keys(runs)))
    .option("--from <directory>", "the run directory of the first named, instead of measuring")
    .action(async (names: readonly string[], { from }: { readonly from?: string }) => {
      const chosen = from === undefined ? names : names.slice(0, 1);
      for (const [name, pageRun] of Object.entries(runs)) {
        // oxlint-disable-next-line no-await-in-loop -- runs disturb each other
        if (chosen.length === 0 || chosen.includes(name)) await renewFrom(name, pageRun, from);
      }
    }),
);
