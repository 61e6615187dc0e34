// The sections of the HTML report, each a landmark with a heading.
import type { ShownFigure } from "../marks/plot.ts";
import { drawFigure } from "../marks/draw-figure.ts";
import { html, Markup, typeset, htmlTable } from "./markup.ts";
import type { Warning } from "@roundtrip/analysis";
import { studyHeading, taskLabel } from "../words/arm-label.ts";
import { judgedClaims, sourceText, verdictMarks } from "../words/published-findings.ts";
import { cautions } from "../words/run-text.ts";
import { type ClaimSentence, claimSentences, strengths } from "../words/claim-sentences.ts";
import { whatFollows } from "../words/what-follows.ts";
import type { PublishedFigures } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import type { ReportTables } from "../registry/report-parts.ts";
import type { StudyView, TaskView } from "../view/run-view.ts";
import { slug, topics } from "../basics/table.ts";

// The width of the page's text, and half of it.
const fullPx = 920;
const halfPx = 444;

/** Without its footnote, which the page says once for all. */
function htmlFigure(figure: ShownFigure): Markup {
  const widthPx = figure.size === "half" ? halfPx : fullPx;
  const drawn = new Markup(drawFigure({ ...figure, footnote: "" }, widthPx, figure.name));
  return html`<figure id="plot-${figure.name}" class="${figure.size}">
    <figcaption id="caption-${figure.name}">
      <strong>${figure.title}</strong><span>${typeset(figure.caption)}</span>
    </figcaption>
    <div class="scroll" role="region" tabindex="0" aria-labelledby="caption-${figure.name}">${drawn}</div>
  </figure>`;
}

export function htmlFigures(figures: readonly ShownFigure[]): Markup {
  return figures.length === 0 ? html`` : html`<div class="figures">${figures.map(htmlFigure)}</div>`;
}

export function warningsSection(warnings: readonly Warning[]): Markup {
  const items = warnings.map(
    ({ code, message, armId }) =>
      html`<li>${message} <code>${code}${armId === undefined ? "" : ` ${armId}`}</code></li>`,
  );
  return html`<section aria-labelledby="warnings">
    <h2 id="warnings">Warnings</h2>
    ${
      items.length === 0
        ? html`<p>None.</p>`
        : html`<ul class="warnings">
            ${items}
          </ul>`
    }
  </section>`;
}

function claimList(sentences: readonly ClaimSentence[]): Markup {
  const items = sentences.map(
    ({ strength, text }) =>
      html`<li class="${strength}">
        <span class="strength"><b aria-hidden="true">${strengths[strength].mark}</b> ${strengths[strength].word}</span
        ><span class="sentence">${typeset(text)}</span>
      </li>`,
  );
  return html`<ul class="findings">
    ${items}
  </ul>`;
}

/** The advice, and below it the claims that it rests on. */
export function verdictSection(input: ReportInput): Markup {
  const { analysis } = input;
  const sentences = claimSentences(analysis);
  const claims =
    sentences.length === 0
      ? ""
      : html`<details>
          <summary>What the figures support, with 95 % intervals (${sentences.length})</summary>
          ${claimList(sentences)}
        </details>`;
  return html`<section aria-labelledby="verdict-heading" id="verdict">
    <h2 id="verdict-heading">What follows</h2>
    <ul>
      ${whatFollows(input).map((text) => html`<li>${typeset(text)}</li>`)}
    </ul>
    ${claims} ${cautions(analysis).map((caution) => html`<p class="note">${caution}</p>`)}
  </section>`;
}

function taskPart(tables: ReportTables, study: StudyView, task: TaskView, figures: readonly ShownFigure[]): Markup {
  const details = tables.details(study, task).map(
    (table) =>
      html`<details>
        <summary>${table.caption} (${table.rows.length} rows)</summary>
        ${htmlTable(table)}
      </details>`,
  );
  const heading = study.tasks.length === 1 ? "" : html`<h3>${taskLabel(task)}</h3>`;
  const lead = tables.lead(study, task);
  const parts = topics.flatMap((topic) => [
    ...lead.filter((one) => one.topic === topic).map(({ table }) => htmlTable(table)),
    htmlFigures(figures.filter((one) => one.topic === topic)),
  ]);
  return html`${heading} ${parts} ${details}`;
}

function publishedClaims(input: ReportInput, figures: PublishedFigures): Markup {
  const items = judgedClaims(input, figures).map(
    ({ verdict, text }) =>
      html`<li class="${verdict === "cannot tell" ? "open" : "clear"}">
        <span class="strength"><b aria-hidden="true">${verdictMarks[verdict]}</b> ${verdict}</span
        ><span class="sentence">${typeset(text)}</span>
      </li>`,
  );
  return html`<p class="source">${sourceText(input, figures)}</p>
    ${
      items.length === 0
        ? ""
        : html`<ul class="findings">
            ${items}
          </ul>`
    }`;
}

/** `figures` are those of this study. A figure of one task follows that task's tables, the others come last. */
export function studySection(
  input: ReportInput,
  tables: ReportTables,
  study: StudyView,
  figures: readonly ShownFigure[],
): Markup {
  const id = slug(`study ${study.study}`);
  const concluding = tables.conclusions(study);
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">Study: ${studyHeading(study.study)}</h2>
    ${tables.published(study).map(htmlTable)} ${study.published.map((published) => publishedClaims(input, published))}
    ${study.tasks.map((task) =>
      taskPart(
        tables,
        study,
        task,
        figures.filter((figure) => figure.task === task.task),
      ),
    )}
    ${
      concluding.length === 0
        ? ""
        : html`<h3>Conclusions</h3>
            ${concluding.map(htmlTable)}`
    }
    ${htmlFigures(figures.filter(({ task }) => task === null))}
  </section>`;
}

export function firstCallSection(tables: ReportTables): Markup {
  const ofSection = tables.section("first calls");
  if (ofSection.length === 0) return html``;
  return html`<section aria-labelledby="first-calls">
    <h2 id="first-calls">The first call</h2>
    ${ofSection.map(htmlTable)}
  </section>`;
}

/** Empty for imported samples, whose environment is unknown. */
export function environmentSection(tables: ReportTables): Markup {
  const ofSection = tables.section("environment");
  if (ofSection.length === 0) return html``;
  return html`<section aria-labelledby="environment-heading">
    <h2 id="environment-heading">Environment</h2>
    ${ofSection.map(htmlTable)}
  </section>`;
}
