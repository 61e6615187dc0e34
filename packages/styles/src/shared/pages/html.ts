// HTML templates that escape every value except markup.

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
export function prose(text: unknown): Html | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  const paragraph = (words: string): Html =>
    html`<p>${words.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}</p>`;
  return html`${text.split(/\n\s*\n/).map((words) => paragraph(words))}`;
}
