// Comments of a contract as text for a terminal: links as words, paragraphs in lines of the terminal's width.

/** `[Secret][acme.v1.Secret]` is `Secret`, and `[the guide](https://…)` is `the guide (https://…)`. */
function withoutLinks(text: string): string {
  return text
    .replaceAll(/\[([^\][]+)\]\s*\[[^\][]*\]/g, "$1")
    .replaceAll(/\[([^\][]+)\]\s*\(([^()\s]+)\)/g, (_, words: string, url: string) => `${words} (${url})`)
    .replaceAll(/`\[([^\][]+)\]`/g, "`$1`");
}

const item = /^\s*(?:[-*+•]|\d+[.)])\s/;
const code = /^(?: {4}|\t)/;

/** Paragraphs, list items and lines of code, each as one line; an empty line between paragraphs. */
function paragraphsOf(comment: string): readonly string[] {
  const paragraphs: string[] = [];
  // What a line can go on with: a list item also with indented lines, which are code elsewhere.
  let open: "item" | "text" | undefined;
  for (const line of comment.split("\n")) {
    if (line.trim() === "") {
      if (paragraphs.at(-1) !== "") paragraphs.push("");
      open = undefined;
    } else if (!item.test(line) && (open === "item" || (open === "text" && !code.test(line)))) {
      paragraphs.push(`${paragraphs.pop() ?? ""} ${line.trim()}`);
    } else {
      paragraphs.push(line.trimEnd());
      open = item.test(line) ? "item" : code.test(line) ? undefined : "text";
    }
  }
  return paragraphs;
}

/** Breaks a line between words; a longer word stays whole. @param hanging before all lines but the first */
export function wrapped(line: string, width: number, hanging: string): readonly string[] {
  if (line.length <= width) return [line];
  const lines: string[] = [];
  let current = "";
  // Each word with the spaces before it, which align columns.
  for (const [spaced] of line.matchAll(/\s*\S+/g)) {
    if (current.trim() !== "" && current.length + spaced.length > width) {
      lines.push(current);
      current = `${hanging}${spaced.trimStart()}`;
    } else current += spaced;
  }
  return [...lines, current];
}

/** The lines of a comment. @param width of each, in characters */
export function commentLines(comment: string, width: number): readonly string[] {
  return paragraphsOf(withoutLinks(comment)).flatMap((paragraph) => {
    const [marker = ""] = item.exec(paragraph) ?? [];
    return wrapped(paragraph, width, " ".repeat(marker.length));
  });
}
