// Follows the docs outside the workspace with the packed packages: creates the project, runs its test, and compiles every program of the pages.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OutsideTerminal } from "./outside-terminal.ts";

/** The blocks of one language in a page of docs/, in page order. */
function pageBlocks(page: string, language: string): readonly string[] {
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

/** The address of a stack in the output of a serving command. */
function addressOf(stack: string, printed: string): string {
  const [, address] = new RegExp(`^${stack} +(\\S+)$`, "m").exec(printed) ?? [];
  if (address === undefined) throw new Error(`there is no ${stack} in\n${printed}`);
  return address;
}

function programsOf(page: string): readonly (readonly [file: string, text: string])[] {
  return pageBlocks(`${page}.md`, "ts").map((text, index) => {
    const ending = text.includes('from "vitest"') ? ".test.ts" : ".ts";
    return [`${page}-${index}${ending}`, text] as const;
  });
}

/** Programs of the pages, by file name. Each recipe of the cookbook continues its first block. */
function programs(): ReadonlyMap<string, string> {
  const [prelude = "", ...recipes] = pageBlocks("faults.md", "ts");
  const cookbook = [prelude, ...recipes.map((recipe) => `{\n${recipe}}\n`)].join("\n");
  return new Map([...programsOf("fakes"), ...programsOf("stubs"), ["faults.ts", cookbook]]);
}

export function makeProject(terminal: OutsideTerminal, clone: string): string {
  terminal.run(clone, pageBlock("fakes.md", "sh", "npm init"));
  return join(clone, "..", "my-client");
}

/** Throws if the project does not behave as the docs describe. */
export async function followPages(terminal: OutsideTerminal, project: string): Promise<void> {
  writeFileSync(join(project, "customers.test.ts"), pageBlock("fakes.md", "ts", "// customers.test.ts"));
  const tests = pageBlock("fakes.md", "sh", "node --test customers.test.ts");
  terminal.run(project, tests);
  const [test = ""] = tests.split("\n");
  {
    await using real = await terminal.serve(project, "npx --no roundtrip serve rest-express --port 0");
    terminal.run(project, test, { SERVER: addressOf("rest-express", real.printed) });
  }
  {
    await using fake = await terminal.serve(project, "npx --no roundtrip fake --port 0");
    terminal.run(project, test, { SERVER: addressOf("rest-express", fake.printed) });
    terminal.run(project, `curl --fail --silent ${addressOf("page", fake.printed)}operations`);
  }
  const files = [...programs()];
  for (const [name, text] of files) writeFileSync(join(project, name), text);
  terminal.run(project, "npm install --save-dev vitest");
  const options = "--noEmit --strict --noUncheckedIndexedAccess --target esnext --module nodenext --types node";
  terminal.run(project, `npx tsc ${options} ${files.map(([name]) => name).join(" ")}`);
  for (const [name] of files.filter(([file]) => file !== "faults.ts"))
    terminal.run(project, name.endsWith(".test.ts") ? `npx vitest run ${name}` : `node ${name}`);
}
