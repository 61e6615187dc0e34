// A section of a document: what tests of a page run apart from the rest.

function bounds(page: string, heading: string): readonly [from: number, to: number] {
  const from = page.indexOf(`\n## ${heading}\n`);
  if (from === -1) throw new Error(`the page has no section "${heading}"`);
  const to = page.indexOf("\n## ", from + 1);
  return [from, to === -1 ? page.length : to];
}

/** From the heading to the next one. */
export function section(page: string, heading: string): string {
  return page.slice(...bounds(page, heading));
}

export function withoutSection(page: string, heading: string): string {
  const [from, to] = bounds(page, heading);
  return page.slice(0, from) + page.slice(to);
}
