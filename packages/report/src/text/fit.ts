// Fits text to terminal columns, by displayed width.
import stringWidth from "string-width";

/** Pads the text with blanks after (`start`) or before (`end`) it, up to `columns`. */
export function pad(text: string, columns: number, align: "start" | "end"): string {
  const blanks = " ".repeat(Math.max(0, columns - stringWidth(text)));
  return align === "start" ? text + blanks : blanks + text;
}

/** The whole clauses of a text that fit, without the last punctuation mark. Cuts with an ellipsis when the first clause is too wide. */
export function clipClauses(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const ends = [...text.matchAll(/[.;:](?= )/gu)].map(({ index }) => index);
  const end = ends.findLast((index) => stringWidth(text.slice(0, index)) <= columns);
  return end === undefined ? clip(text, columns) : text.slice(0, end);
}

/** Cuts text wider than `columns`, with an ellipsis. */
export function clip(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = "";
  for (const character of text) {
    if (stringWidth(cut + character) > columns - 1) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Replaces control characters (for example an escape in an imported name) with blanks. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}

/** Breaks text at blanks into lines of at most `columns`. A longer word stays whole. */
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

/** Wraps text: the first line starts with `mark`, the others are indented to it. */
export function hanging(mark: string, text: string, columns: number): readonly string[] {
  const indent = stringWidth(mark);
  return wrap(text, columns - indent).map((line, index) => (index === 0 ? mark : " ".repeat(indent)) + line);
}
