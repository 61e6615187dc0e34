// "Did you mean": the known name closest to what was typed.
import { distance } from "fastest-levenshtein";
import { CliError } from "./cli-error.ts";

/** The closest name, or undefined when none is close enough to be a slip. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((name) => ({ name, edits: distance(typed.toLowerCase(), name.toLowerCase()), partial: name.includes(typed) }))
    .toSorted((a, b) => Number(b.partial) - Number(a.partial) || a.edits - b.edits);
  const [best] = ranked;
  if (best === undefined) return undefined;
  return best.partial || best.edits <= Math.max(2, best.name.length / 3) ? best.name : undefined;
}

/** Throws a usage error for a name that is not known, with the nearest and all known ones. */
export function requireKnown(kind: string, typed: string, known: readonly string[]): void {
  if (known.includes(typed)) return;
  const nearest = nearestName(typed, known);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  throw new CliError("usage", `There is no ${kind} "${typed}".${hint} Known: ${known.join(", ")}.`);
}
