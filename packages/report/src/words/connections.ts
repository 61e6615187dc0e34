// How many connections calls that are made at once had: where one style multiplexes and another does not, that is part of its figure.
import { configurationOf, listed, type Arm } from "@roundtrip/analysis";

/** One sentence about arms that call in parallel; empty where there are none, or where their connections are not known. */
export function connectionsNote(arms: readonly Arm[]): string {
  const atOnce = arms.flatMap(({ connections, ...arm }) =>
    arm.variant !== "chatty-parallel" || connections === undefined ? [] : [{ ...arm, connections }],
  );
  const most = [...Map.groupBy(atOnce, configurationOf).values()].flatMap((ofStack) =>
    ofStack.slice(0, 1).map(({ title }) => ({ title, count: Math.max(...ofStack.map((arm) => arm.connections)) })),
  );
  const each = [...Map.groupBy(most, ({ count }) => count)].map(([count, alike]) => {
    const titles = alike.map(({ title }) => title);
    return `${count === 1 ? "one connection" : `${count} connections`} over ${listed(titles)}`;
  });
  return each.length === 0 ? "" : `Calls made at once shared ${listed(each)}.`;
}
