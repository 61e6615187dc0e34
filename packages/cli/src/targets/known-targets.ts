// The servers elsewhere that a user named, as far as they can be judged without asking them.
import type { Target } from "@roundtrip/runner";
import { fileFault } from "@roundtrip/runner/files";
import { stackNames } from "@roundtrip/stacks";
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { CliError } from "../basics/cli-error.ts";
import { requireKnown } from "../basics/require-known.ts";
import type { TypedTarget } from "./typed-target.ts";
import { tokenIn } from "../serving/bearer-token.ts";

async function certificateAuthority(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new CliError("usage", `cannot read the certificate authority ${path}: ${fileFault(cause)}`, { cause });
  });
  try {
    // Reads the first of several; TLS itself ignores what it cannot read, and then trusts nobody.
    // oxlint-disable-next-line no-new
    new X509Certificate(text);
  } catch (cause) {
    throw new CliError("usage", `${path} holds no certificate in PEM`, { cause });
  }
  return text;
}

/** No client here sends them, and a secret in vain is one too many. Says nothing of the URL but its stack. */
function requireNoCredentials({ stack, url }: TypedTarget): void {
  const { username, password } = new URL(url);
  if (username === "" && password === "") return;
  throw new CliError("usage", `the URL of ${stack} holds a user name or password, which no client sends; leave it out`);
}

/**
 * The targets with their certificate authority and the variable of their token. Rejects with a usage error for an unknown stack, a URL that
 * holds a secret, or a variable without a token.
 */
export async function knownTargets(
  targets: readonly TypedTarget[] | undefined,
  caPath: string | undefined,
  tokenVariable: string | undefined,
): Promise<readonly Target[]> {
  if (tokenVariable !== undefined) tokenIn(tokenVariable);
  for (const target of targets ?? []) {
    requireKnown("stack", target.stack, stackNames());
    requireNoCredentials(target);
  }
  const ca = await certificateAuthority(caPath);
  return (targets ?? []).map((target) => ({ ...target, ca, tokenVariable }));
}
