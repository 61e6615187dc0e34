// Parts of a document, for tests of what it shows: its sections, its blocks of code, and a shell that runs them.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./run-program.ts";

/** A page of docs/. */
export function readPage(name: string): string {
  return readFileSync(join(import.meta.dirname, "../../../../docs", name), "utf8");
}

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

/** The texts between fences of this language, in their order. */
export function blocksOf(page: string, language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}

/** The first block of this language that has a text. */
export function blockWith(page: string, language: string, part: string): string {
  const found = blocksOf(page, language).find((text) => text.includes(part));
  if (found === undefined) throw new Error(`the page has no ${language} with ${part}`);
  return found;
}

/** Runs lines of a page in a shell. */
export function shell(lines: string, cwd: string): Promise<Outcome> {
  // What runs the tests sets it, and a test runner inside would report to that.
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, FORCE_COLOR: _colour, ...env } = process.env;
  return new Promise((resolve) => {
    execFile("bash", ["-c", lines], { cwd, env: { ...env, NO_COLOR: "1" } }, (error, stdout, stderr) => {
      resolve({ status: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}
