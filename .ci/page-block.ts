// Generated parts of pages: the lines between `<!-- NAME: begin -->` and `<!-- NAME: end -->`.

interface BlockRange {
  readonly from: number;
  readonly to: number;
}

function rangeOf(text: string, name: string): BlockRange {
  const [begin, end] = [`<!-- ${name}: begin -->\n`, `<!-- ${name}: end -->`];
  const [at, to] = [text.indexOf(begin), text.indexOf(end)];
  if (at === -1 || to < at) throw new Error(`the page lacks ${begin.trim()} or, after it, ${end}`);
  return { from: at + begin.length, to };
}

/** The lines between the marks. Throws an Error if the marks are missing. */
export function blockIn(text: string, name: string): string {
  const { from, to } = rangeOf(text, name);
  return text.slice(from, to);
}

/** Replaces the lines between the marks. Throws an Error if the marks are missing. */
export function withBlock(text: string, name: string, lines: string): string {
  const { from, to } = rangeOf(text, name);
  return `${text.slice(0, from)}${lines}${text.slice(to)}`;
}
