// Parts of pages that commands write: what stands between `<!-- NAME: begin -->` and `<!-- NAME: end -->`, each on a line of its own.

interface Place {
  readonly from: number;
  readonly to: number;
}

function placeOf(text: string, name: string): Place {
  const [begin, end] = [`<!-- ${name}: begin -->\n`, `<!-- ${name}: end -->`];
  const [at, to] = [text.indexOf(begin), text.indexOf(end)];
  if (at === -1 || to < at) throw new Error(`the page lacks ${begin.trim()} or, after it, ${end}`);
  return { from: at + begin.length, to };
}

/** What a page's text has between the marks of this name. Throws an Error where it lacks them. */
export function blockIn(text: string, name: string): string {
  const { from, to } = placeOf(text, name);
  return text.slice(from, to);
}

/** The text with other lines between the marks. Throws an Error where it lacks them. */
export function withBlock(text: string, name: string, lines: string): string {
  const { from, to } = placeOf(text, name);
  return `${text.slice(0, from)}${lines}${text.slice(to)}`;
}
