// The code blocks of a page, by language.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The blocks of one language in a page of docs/, in page order. */
export function pageBlocks(page: string, language: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "docs", page), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);
}

/** The only block that contains a text. Throws if there are none or several. */
export function pageBlock(page: string, language: string, part: string): string {
  const [found, ...others] = pageBlocks(page, language).filter((block) => block.includes(part));
  if (found === undefined || others.length > 0)
    throw new Error(`docs/${page}: one ${language} block is to have ${part}`);
  return found;
}
