// Draws the mutants to try from a seed. Each is ranked by its own text, so that changes beside it do not affect the draw.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sitesIn, type Site } from "./sites.ts";

export interface Mutant {
  readonly path: string;
  readonly line: number;
  readonly was: string;
  readonly becomes: string;
  readonly text: string;
  readonly site: Site;
}

/** All mutants of a file. @param path relative to the project's root */
export function mutantsOf(project: string, path: string): readonly Mutant[] {
  const text = readFileSync(join(project, path), "utf8");
  return sitesIn(path, text).map((site) => ({
    path,
    line: text.slice(0, site.start).split("\n").length,
    was: text.slice(site.start, site.end),
    becomes: site.replacement,
    text,
    site,
  }));
}

/** Equal only for sites of one file whose lines are the same. */
function rankOf({ path, was, becomes, text, site }: Mutant, seed: number): string {
  const before = text.slice(text.lastIndexOf("\n", site.start) + 1, site.start).trimStart();
  const after = text.slice(site.end).split("\n", 1)[0] ?? "";
  return hash("sha1", JSON.stringify([seed, path, before, was, after, becomes]));
}

/**
 * Draws this many mutants of all groups, the same number from each. A mutant of two groups counts for the first. The draw stays the same from one
 * revision to the next, except for changed lines.
 */
export function draw(groups: readonly (readonly Mutant[])[], most: number, seed: number): readonly Mutant[] {
  const drawn = new Map<string, Mutant>();
  for (const [index, group] of groups.entries()) {
    const others = new Map(group.map((mutant) => [rankOf(mutant, seed), mutant]));
    for (const rank of drawn.keys()) others.delete(rank);
    const share = Math.round((most * (index + 1)) / groups.length) - drawn.size;
    for (const rank of [...others.keys()].toSorted().slice(0, share)) drawn.set(rank, others.get(rank) as Mutant);
  }
  return [...drawn.values()];
}
