// Text in XML 1.0: which characters it can carry, and how they are escaped.

/** Characters that XML 1.0 cannot carry in any form (section 2.2). Halves of surrogate pairs are checked apart. */
// oxlint-disable-next-line no-control-regex -- it is about control characters
const unspeakable = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;
const unspeakables = new RegExp(unspeakable, "g");
// A parser reads a bare carriage return as a line feed (section 2.11).
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Whether XML 1.0 can carry the text. */
export function isXmlText(text: string): boolean {
  return !unspeakable.test(text) && text.isWellFormed();
}

/** Everything that is not written as it is: most texts have nothing of it, and are searched once. */
// oxlint-disable-next-line no-control-regex -- it is about control characters
const special = /[\0-\x08\x0B-\x1F&<>"\uD800-\uDFFF\uFFFE\uFFFF]/;

/** Escapes text for the content of an element or an attribute in double quotes; undefined for text that XML 1.0 cannot carry. */
export function escaped(text: string): string | undefined {
  if (!special.test(text)) return text;
  return isXmlText(text) ? withEscapes(text) : undefined;
}

function withEscapes(text: string): string {
  return text.replaceAll(/[&<>"\r]/g, (character) => escapes[character] ?? character);
}

/** Escapes any text; the replacement character stands for what XML cannot carry. For messages of errors, which are for people. */
export function escapedAnyText(text: string): string {
  return withEscapes(text.toWellFormed().replace(unspeakables, "\uFFFD"));
}
