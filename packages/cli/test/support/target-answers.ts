// The commands of the pages of examples/targets, run against a server that listens elsewhere.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "shell-quote";
import { expect } from "vitest";
import { findBuf } from "../../src/contract/run-buf.ts";
import { emptyFolder } from "./run-program.ts";
import { run } from "./shared-program.ts";
import type { Target } from "./target.ts";
import { blocksOf } from "./page-section.ts";
import { printed } from "./outcomes.ts";

/** The commands of a target's page, each a line. */
export function pageCommands(folder: string): readonly string[] {
  const page = readFileSync(join(folder, "README.md"), "utf8");
  return blocksOf(page, "sh").flatMap((block) => block.trim().split("\n"));
}

/** The words of a command. Throws an Error if it needs a shell. */
export function wordsOf(command: string): readonly string[] {
  return parse(command).map((word) => {
    if (typeof word === "string") return word;
    throw new Error(`the command needs a shell: ${command}`);
  });
}

/** The `conform` commands of a page, each with the part of the contract that the page builds for it. */
export function conformCommands(commands: readonly string[]): readonly string[] {
  const served = join(emptyFolder(), "served.binpb");
  const isHere = (command: string): string => command.replace("served.binpb", served);
  const [buf, ...first] = findBuf();
  const cwd = fileURLToPath(new URL("../../../..", import.meta.url));
  for (const build of commands.filter((command) => command.startsWith("npx buf build ")))
    execFileSync(buf, [...first, ...wordsOf(isHere(build)).slice(2)], { cwd });
  return commands.filter((command) => command.includes(" -s conform ")).map(isHere);
}

/** A command of a page with the addresses of a running target in place of those from port 8080 on, without the words that start the program. */
export function asServed(command: string, urls: Target["urls"]): readonly string[] {
  const text = Object.values(urls).reduce(
    (before, url, index) => before.replaceAll(`http://127.0.0.1:${8080 + index}`, url),
    command,
  );
  return wordsOf(text.replace("npx -y pnpm@10 -s ", ""));
}

/** Runs a short `bench` with these words. Resolves to how it ended, and whether the answers of its servers were equal. */
export async function shortBench(
  words: readonly string[],
): Promise<{ readonly status: number | null; readonly stderr: string; readonly agreed: boolean }> {
  const cwd = emptyFolder();
  const { status, stderr } = await run([...words, "--rounds", "1", "--calls", "10", "--quiet", "--out", "run"], {
    cwd,
  });
  const kept = JSON.parse(readFileSync(join(cwd, "run", "run.json"), "utf8")) as {
    readonly verification: { readonly agreed: boolean };
  };
  return { status, stderr, agreed: kept.verification.agreed };
}

/** What `conform --json` prints of a stack. */
interface Conformance {
  readonly stack: string;
  readonly results: readonly { readonly status: string }[];
}

/** Runs `conform` with these words. Expects no failed case and `atLeast` passed ones of each stack. Resolves to the stacks. */
export async function expectConformance(words: readonly string[], atLeast: number): Promise<readonly string[]> {
  const stdout = printed(await run([...words, "--json"]));
  const tested = JSON.parse(stdout) as readonly Conformance[];
  for (const { results } of tested) {
    expect(results.filter((result) => result.status === "fail")).toEqual([]);
    expect(results.filter((result) => result.status === "pass").length).toBeGreaterThanOrEqual(atLeast);
  }
  return tested.map(({ stack }) => stack);
}

/** What `describe` prints of a contract that it gets by reflection. */
export async function describedByReflection(url = ""): Promise<string> {
  const { status, stdout, stderr } = await run(["describe", "GetCustomer", "--contract", url.replace(/^http/, "grpc")]);
  return status === 0 && stderr === "" ? stdout : `status ${status}: ${stderr}`;
}
