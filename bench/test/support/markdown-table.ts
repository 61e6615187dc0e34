// The tables of a Markdown page, as the rows that somebody reads.

function isRule(line = ""): boolean {
  return /^\|(?: ?:?-+:? ?\|)+$/.test(line);
}

/** The cells of every table row of a text, without heads and the lines below them. */
export function tableRows(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split("\n");
  return lines
    .filter((line, index) => line.startsWith("| ") && !isRule(lines[index]) && !isRule(lines[index + 1]))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll("\\|", "|")),
    );
}
