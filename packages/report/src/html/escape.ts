// Builds HTML from text: escapes interpolated values unless they already are HTML.

/** Keeps a unit on the line of its number. */
export function typeset(text: string): string {
  return text.replaceAll(/(\d) (%|×|[nµm]?s\b)/g, "$1\u00A0$2");
}

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

type Piece = Markup | string | number | readonly (Markup | string)[];

function textOf(piece: Piece): string {
  if (piece instanceof Markup) return piece.text;
  return typeof piece === "object" ? piece.map(textOf).join("\n") : escapeHtml(String(piece));
}

/** A template that escapes its values and joins lists with line breaks. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.reduce((text, part, index) => text + textOf(pieces[index - 1] ?? "") + part));
}
