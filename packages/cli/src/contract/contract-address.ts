// Contracts that are not paths: by reflection, by URL, and in an npm package.
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { CliError } from "../basics/cli-error.ts";

/** Whether `--contract` names a server or a URL instead of a path. */
export function isAddress(text: string): boolean {
  return /^(?:grpcs?|https?):\/\//.test(text);
}

const npmPrefix = "npm:";

/** Whether it is the same in every version of the user's repository. */
export function isOutsideRevisions(text: string): boolean {
  return isAddress(text) || text.startsWith(npmPrefix);
}

/** The path of `npm:package` or `npm:package/folder`, as Node.js finds packages; other texts unchanged. Throws if it is not installed. */
export function withoutNpm(text: string): string {
  if (!text.startsWith(npmPrefix)) return text;
  const [, name, inside = ""] = /^npm:((?:@[^/]+\/)?[^/@.][^/@]*)((?:\/.*)?)$/.exec(text) ?? [];
  if (name === undefined) throw new CliError("usage", `${text}: give npm:PACKAGE or npm:PACKAGE/FOLDER`);
  for (let folder = resolve("."); ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return join(relative(".", found), inside);
    if (folder !== dirname(folder)) continue;
    throw new CliError("unavailable", `${text}: the package is not installed here; npm install --save-dev ${name}`);
  }
}

const timeoutMs = 30_000;
const mostMiB = 64;

async function downloaded(address: string, signal: AbortSignal): Promise<Buffer> {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new Error(`it answers with HTTP status ${answer.status}`);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    if (bytes > mostMiB * 2 ** 20) throw new Error(`it is larger than ${mostMiB} MiB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export interface AddressedContract {
  /** A descriptor set, binary or JSON. */
  readonly image: Uint8Array;
  /** As of compiled files: undefined if the set itself marks imports. */
  readonly own: ReadonlySet<string> | undefined;
}

/** Reads a contract by reflection, or a descriptor set by URL. Rejects with a CliError in one line, without secrets of the address. */
export async function addressedContract(text: string): Promise<AddressedContract> {
  const url = URL.parse(text.replace(/^grpc(?=s?:)/, "http"));
  if (url === null) throw new CliError("usage", `${text} is not an address: grpc://HOST:PORT or https://HOST/PATH`);
  const isReflected = text.startsWith("grpc");
  const shown = `${text.slice(0, text.indexOf(":"))}://${url.host}${isReflected ? "" : url.pathname}`;
  if (url.username !== "" || url.password !== "")
    throw new CliError("usage", `the address of ${shown} has a user name or password, which is not sent: remove it`);
  if (isReflected) {
    if (url.pathname !== "/" || url.search !== "")
      throw new CliError("usage", `${shown} is a server: its address has no path`);
    return (await import("./reflected-contract.ts")).reflectedContract(shown, url.origin);
  }
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return { image: await downloaded(url.href, signal), own: undefined };
  } catch (cause) {
    const { message, cause: deeper } = cause as Error;
    const reason = deeper instanceof AggregateError ? (deeper.errors as Error[])[0] : deeper;
    const why = signal.aborted
      ? `not done after ${timeoutMs / 1_000} s`
      : ((reason as Error | undefined)?.message ?? message);
    throw new CliError("unavailable", `no contract from ${shown}: ${why}`, { cause });
  }
}
