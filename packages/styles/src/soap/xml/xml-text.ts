// Text in XML 1.0: which characters it can carry, and how they are escaped.

/** Characters that XML 1.0 cannot carry in any form (section 2.2). Halves of surrogate pairs are checked apart. */
// oxlint-disable-next-line no-control-regex -- it is about control characters
const unspeakable = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;
const unspeakables = new RegExp(unspeakable, "g");
// A parser reads a bare carriage return as a line feed (section 2.11).
const markup = /[&<>"\r]/;
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

/** Escapes text for the content of an element or an attribute in double quotes. The text must be {@link isXmlText}. */
export function escaped(text: string): string {
  return markup.test(text) ? text.replace(/[&<>"\r]/g, (character) => escapes[character] ?? character) : text;
}

/** Escapes any text; the replacement character stands for what XML cannot carry. For messages of errors, which are for people. */
export function escapedAnyText(text: string): string {
  return escaped(text.toWellFormed().replace(unspeakables, "\uFFFD"));
}
