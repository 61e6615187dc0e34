// The frame of every HTML document: one self-contained file that can load nothing else.
import { Markup, html } from "./escape.ts";
import { style } from "./style.ts";

// Nothing may be loaded, sent or run: the styles are in the file, and there are no scripts.
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export interface DocumentParts {
  readonly title: string;
  readonly header: Markup;
  /** Begins with the verdict. */
  readonly main: Markup;
  readonly footer: Markup;
}

export function htmlDocument({ title, header, main, footer }: DocumentParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Roundtrip</title>
        <style>
          ${new Markup(style)}
        </style>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>${header}</header>
        <main id="content" tabindex="-1">${main}</main>
        <footer>${footer}</footer>
      </body>
    </html> `.text;
}
