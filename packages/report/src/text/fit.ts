// Text that fits columns of a terminal: measured as it is seen, not as it is stored.
import stringWidth from "string-width";

/** Blanks after (`start`) or before (`end`) the text, up to `columns`. */
export function pad(text: string, columns: number, align: "start" | "end"): string {
  const blanks = " ".repeat(Math.max(0, columns - stringWidth(text)));
  return align === "start" ? text + blanks : blanks + text;
}

/** The clauses of a text that fit whole, without the mark that ended the last; text whose first clause is too wide is cut with an ellipsis. */
export function clipClauses(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const ends = [...text.matchAll(/[.;:](?= )/gu)].map(({ index }) => index);
  const end = ends.findLast((index) => stringWidth(text.slice(0, index)) <= columns);
  return end === undefined ? clip(text, columns) : text.slice(0, end);
}

/** Text without control characters, cut with an ellipsis when it is wider than `columns`. */
export function clip(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = "";
  for (const character of text) {
    if (stringWidth(cut + character) > columns - 1) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Control characters (an escape that a foreign name brings, say) as blanks. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}

/** Lines of at most `columns`, broken at blanks; a longer word stays whole. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/u)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && stringWidth(longer) > columns) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** Wrapped text whose first line starts with `mark` and whose others are indented below its text. */
export function hanging(mark: string, text: string, columns: number): readonly string[] {
  const indent = stringWidth(mark);
  return wrap(text, columns - indent).map((line, index) => (index === 0 ? mark : " ".repeat(indent)) + line);
}
