// Whose pages may call a fake: what was typed, as servers want it.
import { CliError } from "../basics/cli-error.ts";

const known: ReadonlySet<string> = new Set(["loopback", "*"]);

function originOf(text: string): string {
  if (known.has(text)) return text;
  const { origin, href } = URL.parse(text) ?? {};
  if (origin !== undefined && /^https?:/.test(origin) && href === `${origin}/`) return origin;
  throw new CliError(
    "usage",
    `--allow-origin ${text}: give an origin such as https://app.example, loopback, * or none`,
  );
}

/** Pages of this machine unless something else was said. Throws a usage error for what is no origin. */
export function allowedOrigins(typed: readonly string[] | undefined): readonly string[] {
  if (typed === undefined) return ["loopback"];
  if (!typed.includes("none")) return typed.map(originOf);
  if (typed.length > 1) throw new CliError("usage", "--allow-origin none leaves no other origin");
  return [];
}
