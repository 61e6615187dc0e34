// HTML templates that escape every value except markup, and the answer with a page: no script, nothing from elsewhere.
import { createHash } from "node:crypto";
import { type AnswerHeaders, type WholeAnswer, textAnswer } from "../http/http-service.ts";

/** Markup, with its own type to distinguish it from text. */
export interface Html {
  readonly markup: string;
}

type Piece = Html | string | number | readonly Piece[] | undefined;

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function markupOf(piece: Piece): string {
  if (piece === undefined) return "";
  if (Array.isArray(piece)) return (piece as readonly Piece[]).map((each) => markupOf(each)).join("");
  if (typeof piece === "object") return (piece as Html).markup;
  return String(piece).replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "");
}

/** A template of markup: html`<b>${text}</b>`. */
export function html(markup: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return { markup: String.raw({ raw: markup }, ...pieces.map((piece) => markupOf(piece))) };
}

/** Text with `code`, and blank lines between paragraphs. */
export function prose(text: string): Html | undefined {
  if (text === "") return undefined;
  const paragraph = (words: string): Html =>
    html`<p>${words.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}</p>`;
  return html`${text.split(/\n\s*\n/).map((words) => paragraph(words))}`;
}

const sheet = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --soft: color-mix(in srgb, currentColor 6%, transparent); }
body { margin: 0 auto; padding: 1.5rem 1.25rem 6rem; max-width: 62rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.8rem; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.3rem; }
p { margin: .4rem 0; }
code, pre { font: .9em/1.45 ui-monospace, monospace; }
pre { margin: .4rem 0; padding: .7rem .9rem; border-radius: .4rem; background: var(--soft); overflow-x: auto; white-space: pre-wrap; }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; }
details > div { padding: 0 1rem 1rem; }
summary { padding: .6rem 1rem; cursor: pointer; }
`;

/** Allows the page its style sheet, and nothing else. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(sheet).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** @param headers in addition to those of a page */
export function pageAnswer(title: string, body: Html, headers: AnswerHeaders | undefined): WholeAnswer {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${{ markup: `<style>${sheet}</style>` }}
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html>`;
  return textAnswer(200, "text/html; charset=utf-8", `${page.markup}\n`, {
    ...headers,
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
}
