// The targets that the user named, checked without calling them.
import type { Target } from "@roundtrip/runner";
import { allStacks, type KnownStack } from "@roundtrip/stacks";
import { X509Certificate } from "node:crypto";
import { CliError, requireKnown } from "../basics/cli-error.ts";
import { fileLimitsMiB, readInput } from "../basics/read-input.ts";
import type { TypedAccess, TypedTarget, TypedTargets } from "./typed-target.ts";

// RFC 6750, section 2.1.
const tokenPattern = /^[\w.~+/-]+=*$/;

/** The token in an environment variable: every user of the machine can read command lines. Throws a usage error, which never has the token. */
export function tokenIn(variable: string): string {
  const token = process.env[variable] ?? "";
  if (tokenPattern.test(token)) return token;
  const fault = token === "" ? "is empty; a bearer token is required" : "is not a bearer token";
  throw new CliError("usage", `the environment variable ${variable} ${fault}`);
}

export interface ServerAccess {
  readonly tokenVariable?: string;
  /** Certificate authority in PEM. */
  readonly ca?: string;
}

/** Rejects with a usage error for a file without a certificate, and a variable without a token. */
export async function accessOf({ ca: path, tokenEnv }: TypedAccess): Promise<ServerAccess> {
  if (tokenEnv !== undefined) tokenIn(tokenEnv);
  const token = tokenEnv === undefined ? {} : { tokenVariable: tokenEnv };
  if (path === undefined) return token;
  const ca = readInput({
    path,
    mostMiB: fileLimitsMiB.certificateAuthority,
    label: `the certificate authority ${path}`,
  });
  try {
    // Parses the first certificate. TLS itself ignores unreadable ones, and would then trust no server.
    // oxlint-disable-next-line no-new
    new X509Certificate(ca);
  } catch (cause) {
    throw new CliError("usage", `${path} has no certificate in PEM format`, { cause });
  }
  return { ...token, ca };
}

/** The stack of that name, or the default stack of that style. Throws a usage error for an unknown name. */
export function stackOf(name: string, stacks: readonly KnownStack[]): string {
  const found = stacks.find((stack) => stack.name === name || (stack.isDefault && stack.style === name));
  if (found !== undefined) return found.name;
  requireKnown("style or stack", name, [...new Set(stacks.flatMap((stack) => [stack.style, stack.name]))]);
  return name;
}

/** No client sends credentials of a URL. The message must not repeat the URL, which has a secret. */
function requireNoCredentials({ name, url }: TypedTarget): void {
  const { username, password } = new URL(url);
  if (username === "" && password === "") return;
  throw new CliError("usage", `the URL of ${name} has a user name or password, which no client sends: remove it`);
}

/** The targets with CA and token variable. Rejects with a usage error for an unknown stack, a URL with a secret, or a variable without a token. */
export async function knownTargets(typed: TypedTargets | undefined): Promise<readonly Target[]> {
  if (typed === undefined) return [];
  for (const target of typed.targets) requireNoCredentials(target);
  const { ca, tokenVariable } = await accessOf(typed.access);
  const stacks = allStacks();
  return typed.targets.map(({ name, url }) => ({ stack: stackOf(name, stacks), url, ca, tokenVariable }));
}
