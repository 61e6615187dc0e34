// What a page has people paste: its blocks of code, by language.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The blocks of a page in docs/ that are of one language, in the page's order. */
export function pageBlocks(page: string, language: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "docs", page), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);
}

/** The only block that holds a text. Throws when there is none, or another one. */
export function pageBlock(page: string, language: string, part: string): string {
  const [found, ...others] = pageBlocks(page, language).filter((block) => block.includes(part));
  if (found === undefined || others.length > 0)
    throw new Error(`docs/${page}: one ${language} block is to have ${part}`);
  return found;
}
