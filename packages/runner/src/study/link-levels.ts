// Networks as factors: levels of what can be set on them, in place of what tasks have of their own.
import { linkDefaults, linkKey, type LinkSettings } from "./link-settings.ts";

/** Levels by setting; every combination of them is a network. What is not there stays as a task has it. */
export type LinkLevels = { readonly [Name in keyof LinkSettings]?: readonly LinkSettings[Name][] };

/** A task's own networks with these levels, each once; none when there are neither. */
export function linksWith(own: readonly LinkSettings[], levels: LinkLevels): readonly LinkSettings[] {
  const names = Object.keys(levels) as (keyof LinkSettings)[];
  if (names.length === 0) return own;
  const links = names.reduce<readonly LinkSettings[]>(
    (some, name) => some.flatMap((link) => (levels[name] ?? []).map((value) => ({ ...link, [name]: value }))),
    own.length === 0 ? [linkDefaults] : own,
  );
  return [...new Map(links.map((link) => [linkKey(link), link])).values()];
}

/** How far the distance of a network is from those that a task has itself, as a ratio's logarithm; 0 for a task without any. */
export function distanceFrom({ rttMs }: LinkSettings, own: readonly LinkSettings[]): number {
  const ratios = own.map((link) => Math.abs(Math.log1p(rttMs) - Math.log1p(link.rttMs)));
  return ratios.length === 0 ? 0 : Math.min(...ratios);
}

/** What these networks do not all have alike. */
export function variedIn(links: readonly LinkSettings[]): readonly (keyof LinkSettings)[] {
  const [first] = links;
  if (first === undefined) return [];
  return (Object.keys(first) as (keyof LinkSettings)[]).filter((name) =>
    links.some((link) => link[name] !== first[name]),
  );
}
