// Finds the kinds of links: each is a file in kinds/.
import { readdirSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { RunnerError } from "../basics/runner-error.ts";
import type { LinkDemand, LinkKind } from "./link.ts";

const folder = join(import.meta.dirname, "kinds");
// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);

/** The names of all kinds, in alphabetical order. */
export function linkNames(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension) && !name.endsWith(`.d${extension}`))
    .map((name) => basename(name, extension))
    .toSorted();
}

/** Rejects with a RunnerError `link-unavailable` for an unknown kind. */
export async function loadLinkKind(name: string): Promise<LinkKind> {
  const names = linkNames();
  if (!names.includes(name)) {
    throw new RunnerError("link-unavailable", `unknown link "${name}" (valid: ${names.join(", ")})`);
  }
  const loaded = (await import(new URL(`./kinds/${name}${extension}`, import.meta.url).href)) as {
    readonly kind: LinkKind;
  };
  return loaded.kind;
}

async function byPreference(): Promise<readonly LinkKind[]> {
  const kinds = await Promise.all(linkNames().map(loadLinkKind));
  return kinds.toSorted((a, b) => a.order - b.order);
}

export interface ChosenKind {
  readonly kind: LinkKind;
  /** Why better kinds were not chosen; empty if it was requested by name, or is the best. */
  readonly why: string;
}

/** The named kind, or with `auto` the first that supports the demand here. Rejects with a RunnerError `link-unavailable` and the reasons. */
export async function chooseLinkKind(name: string, demand: LinkDemand): Promise<ChosenKind> {
  const kinds = name === "auto" ? await byPreference() : [await loadLinkKind(name)];
  const against: string[] = [];
  for (const kind of kinds) {
    const why = kind.refuses(demand) ?? (await kind.unavailable());
    const others = against.map((reason) => `not ${reason}`).join(", ");
    if (why === undefined) return { kind, why: others === "" ? "" : `--link auto takes ${kind.name}: ${others}` };
    if (name !== "auto") throw new RunnerError("link-unavailable", `the ${name} link cannot be used: ${why}`);
    against.push(`${kind.name} (${why})`);
  }
  throw new RunnerError("link-unavailable", `no link can do this here: not ${against.join(", not ")}`);
}
