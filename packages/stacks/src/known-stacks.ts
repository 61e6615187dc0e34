// Lists servers and clients by file: `<style>/servers/<library>` and `<style>/clients/<library>`. A new library needs only a new file.
// A stack is any server of a style with any client of it. Help and shell completion load only this module.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { StackError } from "./basics/stack-error.ts";

export interface KnownStack {
  readonly name: string;
  readonly style: string;
  readonly server: string;
  readonly client: string;
  readonly isDefault: boolean;
  readonly isDefaultStyle: boolean;
}

interface Defaults {
  readonly server: string;
  readonly client: string;
  readonly isDefaultStyle: boolean;
}

// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);

function librariesIn(style: string, end: "servers" | "clients"): readonly string[] {
  return readdirSync(join(import.meta.dirname, style, end))
    .filter((name) => name.endsWith(extension))
    .map((name) => name.slice(0, -extension.length))
    .toSorted();
}

/** `rest-express`; the server alone if its name begins with the style: `grpc-js`. */
function baseName(style: string, server: string): string {
  return server === style || server.startsWith(`${style}-`) ? server : `${style}-${server}`;
}

function stacksOf(style: string): readonly KnownStack[] {
  const defaults = JSON.parse(readFileSync(join(import.meta.dirname, style, "default.json"), "utf8")) as Defaults;
  return librariesIn(style, "servers")
    .flatMap((server) =>
      librariesIn(style, "clients").map((client) => ({
        name: `${baseName(style, server)}${client === defaults.client ? "" : `+${client}`}`,
        style,
        server,
        client,
        isDefault: server === defaults.server && client === defaults.client,
        isDefaultStyle: defaults.isDefaultStyle,
      })),
    )
    .toSorted(defaultFirst);
}

/** Sorts a style's default stack first: a run with several stacks of a style uses the first for it. */
function defaultFirst(one: KnownStack, other: KnownStack): number {
  return Number(other.isDefault) - Number(one.isDefault) || (one.name < other.name ? -1 : 1);
}

let known: readonly KnownStack[] | undefined;

/** All stacks by style: the style's default first, then in alphabetical order. Loads no stack. */
export function allStacks(): readonly KnownStack[] {
  return (known ??= readdirSync(import.meta.dirname)
    .filter((style) => existsSync(join(import.meta.dirname, style, "default.json")))
    .toSorted()
    .flatMap(stacksOf));
}

/** The names of all stacks, in the order of {@link allStacks}. */
export function stackNames(): readonly string[] {
  return allStacks().map(({ name }) => name);
}

/** The fewest stacks that include every server and every client, each style's default stack among them. */
export function coveringStacks(): readonly KnownStack[] {
  return [...Map.groupBy(allStacks(), ({ style }) => style).values()].flatMap((ofStyle) => {
    const servers = [...new Set(ofStyle.map(({ server }) => server))];
    const clients = [...new Set(ofStyle.map(({ client }) => client))];
    return Array.from({ length: Math.max(servers.length, clients.length) }, (_, index) => {
      const server = servers[index % servers.length];
      const client = clients[index % clients.length];
      return ofStyle.filter((one) => one.server === server && one.client === client);
    }).flat();
  });
}

/** The names of the default stacks of the default styles, in the order of styles. Commands use them unless you select others. */
export function defaultStackNames(): readonly string[] {
  return allStacks()
    .filter(({ isDefault, isDefaultStyle }) => isDefault && isDefaultStyle)
    .map(({ name }) => name);
}

/** The styles that commands take unless you select others, in alphabetical order; a floor among them, which is the lower bound of the others. */
export function defaultStyleNames(): readonly string[] {
  return [
    ...new Set(
      allStacks()
        .filter(({ isDefaultStyle }) => isDefaultStyle)
        .map(({ style }) => style),
    ),
  ];
}

/** The parts of a stack. Throws a StackError for an unknown name. */
export function knownStack(name: string): KnownStack {
  const found = allStacks().find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new StackError("unknown-stack", `unknown stack "${name}" (valid: ${stackNames().join(", ")})`);
}

/** Options of every server, for help. */
export { serveDefaults } from "./basics/stack.ts";
