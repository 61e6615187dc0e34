// The whole HTML report: one self-contained file that can load nothing else.
import { slug } from "../basics/table.ts";
import { html, htmlDocument, type Markup } from "../html/markup.ts";
import { methodSection } from "../html/method.ts";
import {
  environmentSection,
  firstCallSection,
  studySection,
  verdictSection,
  warningsSection,
} from "../html/sections.ts";
import type { Format } from "../registry/format.ts";
import { reportTables, figuresOf } from "../registry/report-parts.ts";
import { isForeign, type ReportInput } from "../view/report-input.ts";
import { viewStudies } from "../view/run-view.ts";
import { studyLabel } from "../words/arm-label.ts";
import { linkText, roundsInTime, unfinishedText } from "../words/run-text.ts";

function navigation(input: ReportInput): Markup {
  const studies = viewStudies(input).map(
    ({ study }) => html`<li><a href="#${slug(`study ${study}`)}">${studyLabel(study)}</a></li>`,
  );
  const rest = [
    ["first-calls", "first call"],
    ["warnings", "warnings"],
    ["environment-heading", "environment"],
    ["method", "method"],
    ["raw", "raw data"],
  ]
    .filter(([id]) => id !== "first-calls" || input.analysis.summaries.some(({ metric }) => metric === "firstCallMs"))
    .filter(([id]) => id !== "environment-heading" || !isForeign(input));
  const others = rest.map(([id = "", label = ""]) => html`<li><a href="#${id}">${label}</a></li>`);
  return html`<nav aria-label="Sections">
    <ul>
      ${[...studies, ...others]}
    </ul>
  </nav>`;
}

function rawSection(input: ReportInput): Markup {
  const files = input.files.map(({ path, holds }) => html`<li><code>${path}</code>: ${holds}</li>`);
  return html`<section aria-labelledby="raw">
    <h2 id="raw">Raw data</h2>
    ${
      files.length === 0
        ? ""
        : html`<ul>
            ${files}
          </ul>`
    }
  </section>`;
}

function unfinished(input: ReportInput): Markup {
  const early = unfinishedText(input);
  return early === "" ? html`` : html`<p role="note" class="unfinished"><strong>${early}</strong></p>`;
}

function lead(input: ReportInput): Markup {
  const { facts } = input;
  if (isForeign({ facts })) return html`<p class="lead">Samples that another tool took</p>`;
  return html`<p class="lead">
    <time datetime="${facts.startedAt}">${facts.startedAt.slice(0, 16).replace("T", " ")}</time> ·
    ${roundsInTime(input)} · ${linkText(facts.environment)} · ${facts.environment.runtime}
  </p>`;
}

function colophon({ facts }: ReportInput): Markup {
  const command = facts.command === "" ? "" : html` with <code>${facts.command}</code>`;
  return html`<p>Made by Roundtrip${command}, seed ${facts.seed}.</p>`;
}

export async function htmlPage(input: ReportInput): Promise<string> {
  const [figures, tables] = await Promise.all([figuresOf(input), reportTables(input)]);
  const studies = viewStudies(input).map((view) =>
    studySection(
      input,
      tables,
      view,
      figures.filter(({ study }) => study === view.study),
    ),
  );
  const named = viewStudies(input)
    .map(({ study }) => studyLabel(study))
    .join(", ");
  const title = `${named.charAt(0).toUpperCase()}${named.slice(1)}: what a call costs`;
  const header = html`<h1>${title}</h1>
    ${lead(input)} ${navigation(input)}`;
  const main = html`${unfinished(input)} ${verdictSection(input)} ${studies} ${firstCallSection(tables)}
  ${warningsSection(input.analysis.warnings)} ${environmentSection(tables)} ${methodSection(input)} ${rawSection(input)}`;
  return htmlDocument({ title, header, main, footer: colophon(input) });
}

export const format: Format = {
  name: "html",
  fileExtension: "html",
  render: htmlPage,
};
