// Bearer tokens from the environment or a file: every user of the machine can read command-line arguments.
import { readText } from "@roundtrip/contract/text";
import { fileFault } from "@roundtrip/runs/files";
import { CliError } from "../basics/cli-error.ts";

// RFC 6750, section 2.1.
const tokenPattern = /^[\w.~+/-]+=*$/;

/** The error names the location of the token, never the token. */
function requireToken(token: string, where: string): string {
  if (tokenPattern.test(token)) return token;
  throw new CliError(
    "usage",
    token === "" ? `${where} is empty; a bearer token is required` : `${where} is not a bearer token`,
  );
}

/** The token in an environment variable. Throws a usage error if it is missing. */
export function tokenIn(variable: string): string {
  return requireToken(process.env[variable] ?? "", `the environment variable ${variable}`);
}

/** The tokens in a file, one per line. Rejects with a usage error for a file without tokens. */
export async function tokensInFile(path: string): Promise<readonly string[]> {
  const text = await readText(path).catch((cause: unknown) => {
    throw new CliError("usage", `cannot read the token file ${path}: ${fileFault(cause)}`, { cause });
  });
  const lines = text.split("\n").map((line) => line.trim());
  const tokens = lines.filter((line) => line !== "");
  return tokens.length === 0 ? [requireToken("", path)] : tokens.map((token) => requireToken(token, path));
}
