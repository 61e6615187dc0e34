// Finds stacks by looking at the folders beside this file: a new stack is a new folder, and nothing here changes.
import { existsSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import type { ProtocolMisuse } from "@roundtrip/contract/conformance";
import type { Connect, Serve, Stack } from "./stack.ts";
import { StackError } from "./stack-error.ts";

// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);

/** The names of all stacks, in alphabetical order. */
export function stackNames(): readonly string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(import.meta.dirname, entry.name, `index${extension}`)))
    .map((entry) => entry.name)
    .toSorted();
}

async function room(name: string, file: "index" | "server" | "client" | "misuse"): Promise<Record<string, unknown>> {
  if (!stackNames().includes(name)) {
    throw new StackError("unknown-stack", `there is no stack "${name}" (there are ${stackNames().join(", ")})`);
  }
  return (await import(new URL(`./${name}/${file}${extension}`, import.meta.url).href)) as Record<string, unknown>;
}

/** A stack's description of itself. Rejects with a StackError when there is no such stack. */
export async function loadStack(name: string): Promise<Stack> {
  return (await room(name, "index"))["stack"] as Stack;
}

/** A stack's server; loads its library and no other stack's. */
export async function loadServe(name: string): Promise<Serve> {
  return (await room(name, "server"))["serve"] as Serve;
}

/** A stack's client; loads its library and no other stack's. */
export async function loadConnect(name: string): Promise<Connect> {
  return (await room(name, "client"))["connect"] as Connect;
}

/** What a stack's room `misuse.ts` exports as `misuses`; undefined when the stack has no such room. */
export async function loadMisuses(name: string): Promise<ProtocolMisuse | undefined> {
  if (!existsSync(join(import.meta.dirname, name, `misuse${extension}`))) return undefined;
  return (await room(name, "misuse"))["misuses"] as ProtocolMisuse;
}
