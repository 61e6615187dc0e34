// Networks as factors: levels of link settings that replace those of tasks.
import { linkDefaults, linkKey, type LinkSettings } from "./link-settings.ts";

/** Levels by setting; every combination of them is a network. Missing settings stay as in the task. */
export type LinkLevels = { readonly [Name in keyof LinkSettings]?: readonly LinkSettings[Name][] };

/** A task's own networks with these levels, without duplicates; empty if there are neither. */
export function linksWith(own: readonly LinkSettings[], levels: LinkLevels): readonly LinkSettings[] {
  const names = Object.keys(levels) as (keyof LinkSettings)[];
  if (names.length === 0) return own;
  const links = names.reduce<readonly LinkSettings[]>(
    (some, name) => some.flatMap((link) => (levels[name] ?? []).map((value) => ({ ...link, [name]: value }))),
    own.length === 0 ? [linkDefaults] : own,
  );
  return [...new Map(links.map((link) => [linkKey(link), link])).values()];
}

/** How far the distance of a network is from those of a task, as a log ratio; 0 for a task without networks. */
export function distanceFrom({ rttMs }: LinkSettings, own: readonly LinkSettings[]): number {
  const ratios = own.map((link) => Math.abs(Math.log1p(rttMs) - Math.log1p(link.rttMs)));
  return ratios.length === 0 ? 0 : Math.min(...ratios);
}

/** The settings in which these networks differ. */
export function variedIn(links: readonly LinkSettings[]): readonly (keyof LinkSettings)[] {
  const [first] = links;
  if (first === undefined) return [];
  return (Object.keys(first) as (keyof LinkSettings)[]).filter((name) =>
    links.some((link) => link[name] !== first[name]),
  );
}
