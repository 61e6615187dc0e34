// How many connections calls that are made at once had: where one style multiplexes and another does not, that is part of its figure.
import { listed, type Arm } from "@roundtrip/analysis";

/** One sentence about arms that call in parallel; empty where there are none, or where their connections are not known. */
export function connectionsNote(arms: readonly Arm[]): string {
  const most = new Map<string, number>();
  for (const { variant, title, connections } of arms) {
    if (variant !== "chatty-parallel" || connections === undefined) continue;
    most.set(title, Math.max(connections, most.get(title) ?? 0));
  }
  const alike = Map.groupBy(most.keys(), (title) => most.get(title) ?? 0);
  const each = [...alike].map(
    ([count, titles]) => `${count === 1 ? "one connection" : `${count} connections`} over ${listed(titles)}`,
  );
  return each.length === 0 ? "" : `Calls made at once shared ${listed(each)}.`;
}
