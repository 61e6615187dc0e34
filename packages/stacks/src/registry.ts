// Finds servers and clients by looking at the folders beside this file, `<style>/servers/<library>` and `<style>/clients/<library>`: a new library is a new
// folder, and nothing here changes. A stack is any server of a style with any client of it.
import { loadStyle, type Style } from "@roundtrip/styles";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { ClientBinding, Connect, Serve, ServerBinding, Setting, Stack } from "./stack.ts";
import { StackError } from "./stack-error.ts";

// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);

/** What a stack is made of, by its folders. */
export interface KnownStack {
  readonly name: string;
  readonly style: string;
  readonly server: string;
  readonly client: string;
  readonly isDefault: boolean;
}

/** `default.json` of a style. */
interface Defaults {
  readonly server: string;
  readonly client: string;
}

function foldersIn(...path: readonly string[]): readonly string[] {
  return readdirSync(join(import.meta.dirname, ...path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

/** `rest-express`, or the server alone where that begins with its style: `grpc-js`. */
function baseName(style: string, server: string): string {
  return server === style || server.startsWith(`${style}-`) ? server : `${style}-${server}`;
}

function stacksOf(style: string): readonly KnownStack[] {
  const defaults = JSON.parse(readFileSync(join(import.meta.dirname, style, "default.json"), "utf8")) as Defaults;
  return foldersIn(style, "servers").flatMap((server) =>
    foldersIn(style, "clients").map((client) => ({
      name: `${baseName(style, server)}${client === defaults.client ? "" : `+${client}`}`,
      style,
      server,
      client,
      isDefault: server === defaults.server && client === defaults.client,
    })),
  );
}

function nameOrder(one: KnownStack, other: KnownStack): number {
  return one.name < other.name ? -1 : 1;
}

let known: readonly KnownStack[] | undefined;

/** All stacks, in the alphabetical order of their names. Loads none of them. */
export function allStacks(): readonly KnownStack[] {
  return (known ??= foldersIn()
    .filter((style) => existsSync(join(import.meta.dirname, style, "default.json")))
    .flatMap(stacksOf)
    .toSorted(nameOrder));
}

/** The names of all stacks, in alphabetical order. */
export function stackNames(): readonly string[] {
  return allStacks().map(({ name }) => name);
}

/** The names of the stacks that are their styles' defaults, in alphabetical order: what commands take where nobody says which. */
export function defaultStackNames(): readonly string[] {
  return allStacks()
    .filter(({ isDefault }) => isDefault)
    .map(({ name }) => name);
}

/** What a stack is made of. Throws a StackError when there is no such stack. */
export function knownStack(name: string): KnownStack {
  const found = allStacks().find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new StackError("unknown-stack", `there is no stack "${name}" (there are ${stackNames().join(", ")})`);
}

async function part(path: readonly string[]): Promise<Record<string, unknown>> {
  return (await import(new URL(`./${path.join("/")}${extension}`, import.meta.url).href)) as Record<string, unknown>;
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

/** What either end takes, each once. */
function settingsOf(server: ServerBinding, client: ClientBinding): readonly Setting[] {
  const ofClient = new Set(client.settings.map(({ name }) => name));
  const ofServer = new Set(server.settings.map(({ name }) => name));
  return [
    ...server.settings.map((setting) => ({ ...setting, end: ofClient.has(setting.name) ? "both" : "server" }) as const),
    ...client.settings
      .filter(({ name }) => !ofServer.has(name))
      .map((setting) => ({ ...setting, end: "client" }) as const),
  ];
}

/** The style's name, with what is not its default: `REST (fastify)`, `REST (express, fetch)`. */
function titleOf({ title }: Style, { style, server, client }: KnownStack): string {
  const ofDefaults = allStacks().find((one) => one.style === style && one.isDefault);
  if (client !== ofDefaults?.client) return `${title} (${server}, ${client})`;
  return server === ofDefaults.server ? title : `${title} (${server})`;
}

/** A stack's description of itself. Rejects with a StackError when there is no such stack. */
export async function loadStack(name: string): Promise<Stack> {
  const ids = knownStack(name);
  const [style, ofServer, ofClient] = await Promise.all([
    loadStyle(ids.style),
    part([ids.style, "servers", ids.server, "index"]),
    part([ids.style, "clients", ids.client, "index"]),
  ]);
  const server = ofServer["server"] as ServerBinding;
  const client = ofClient["client"] as ClientBinding;
  return {
    ...style,
    ...ids,
    title: titleOf(style, ids),
    connectRoundTrips: client.connectRoundTrips,
    callsAtOnce: client.callsAtOnce,
    libraries: unique([...server.libraries, ...client.libraries, ...style.libraries]),
    limitations: [...style.limitations, ...server.limitations, ...client.limitations],
    settings: settingsOf(server, client),
  };
}

/** A stack's server; loads its library and no other's. */
export async function loadServe(name: string): Promise<Serve> {
  const { style, server } = knownStack(name);
  return (await part([style, "servers", server, "server"]))["serve"] as Serve;
}

/** A stack's client; loads its library and no other's. */
export async function loadConnect(name: string): Promise<Connect> {
  const { style, client } = knownStack(name);
  return (await part([style, "clients", client, "client"]))["connect"] as Connect;
}
