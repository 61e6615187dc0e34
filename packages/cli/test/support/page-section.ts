// Parts of a document: a section that tests run apart from the rest, and the blocks of a kind.

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

/** What stands between fences of this kind. */
export function blocksOf(page: string, kind: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}
