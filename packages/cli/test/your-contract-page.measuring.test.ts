// docs/your-contract.md, followed as a new user would: its files are saved, its commands run, and what they print is what stands there.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { findBuf } from "../src/contract/run-buf.ts";
import { emptyFolder, start, until } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const project = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(join(project, "docs", "your-contract.md"), "utf8");
const [buf, ...first] = findBuf();

type Part =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "commands"; readonly lines: readonly string[] }
  | { readonly kind: "output"; readonly text: string };

/** Files, commands and what they print, in the page's order. */
function partsOf(text: string): readonly Part[] {
  const blocks = text.matchAll(/(?:<!-- file: (\S+) -->\n\n)?^```(\w+)\n(.*?)^```$/gms);
  return [...blocks].map(([, path, language, body = ""]): Part => {
    if (path !== undefined) return { kind: "file", path, text: body };
    return language === "sh" ? { kind: "commands", lines: body.trim().split("\n") } : { kind: "output", text: body };
  });
}

/** Serves until it has printed its addresses. */
async function serves(args: readonly string[], cwd: string): Promise<string> {
  const running = start(args, { cwd });
  try {
    return await until(() => (running.output().stdout.includes("Ctrl-C") ? running.output().stdout : undefined));
  } finally {
    running.signal("SIGKILL");
    await running.ended;
  }
}

it("every command works, and prints what the page shows", { timeout: 150_000 }, async () => {
  const cwd = emptyFolder();
  mkdirSync(join(cwd, "packages", "cli"), { recursive: true });
  symlinkSync(join(project, "packages", "cli", "node_modules"), join(cwd, "packages", "cli", "node_modules"));
  let printed = "";
  const ran: string[] = [];
  const differing: string[] = [];
  for (const part of partsOf(page)) {
    if (part.kind === "file") {
      mkdirSync(dirname(join(cwd, part.path)), { recursive: true });
      writeFileSync(join(cwd, part.path), part.text);
      continue;
    }
    if (part.kind === "output") {
      if (!printed.includes(part.text)) differing.push(`${ran.at(-1)} printed\n${printed}`);
      continue;
    }
    for (const line of part.lines) {
      const [program = "", ...words] = line.replace("npx -y pnpm@10 -s", "pnpm").split(" ");
      ran.push(line);
      if (program === "npx") {
        execFileSync(buf, [...first, ...words.slice(1)], { cwd, stdio: "pipe" });
        continue;
      }
      if (words[0] === "serve") {
        // oxlint-disable-next-line no-await-in-loop -- one command after the other, as the page has them
        printed = await serves([...words, "--port", "0"], cwd);
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop
      const { stdout, stderr } = await run(words, { cwd });
      printed = stdout + stderr;
    }
  }
  expect(differing).toEqual([]);
  expect(ran.length).toBeGreaterThan(7);
  expect(existsSync(join(cwd, "shop-documents", "openapi.yaml"))).toBe(true);
});
