// The targets that the user named, checked without calling them.
import { readText } from "@roundtrip/contract/text";
import type { Target } from "@roundtrip/runner";
import { fileFault } from "@roundtrip/runs/files";
import { allStacks, type KnownStack } from "@roundtrip/stacks";
import { X509Certificate } from "node:crypto";
import { CliError } from "../basics/cli-error.ts";
import { requireKnown } from "../basics/require-known.ts";
import type { TypedTarget } from "./typed-target.ts";
import { tokenIn } from "../serving/bearer-token.ts";

/** The text of the file; undefined without one. Rejects with a usage error for a file without a certificate. */
export async function certificateAuthority(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = await readText(path).catch((cause: unknown) => {
    throw new CliError("usage", `cannot read the certificate authority ${path}: ${fileFault(cause)}`, { cause });
  });
  try {
    // Parses the first certificate. TLS itself ignores unreadable ones, and would then trust no server.
    // oxlint-disable-next-line no-new
    new X509Certificate(text);
  } catch (cause) {
    throw new CliError("usage", `${path} has no certificate in PEM format`, { cause });
  }
  return text;
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
export async function knownTargets(
  targets: readonly TypedTarget[] | undefined,
  caPath: string | undefined,
  tokenVariable: string | undefined,
): Promise<readonly Target[]> {
  if (tokenVariable !== undefined) tokenIn(tokenVariable);
  const stacks = allStacks();
  for (const target of targets ?? []) {
    requireNoCredentials(target);
  }
  const ca = await certificateAuthority(caPath);
  return (targets ?? []).map(({ name, url }) => ({ stack: stackOf(name, stacks), url, ca, tokenVariable }));
}
