// The number of connections of parallel calls: multiplexing styles need fewer, which affects their figures.
import { configurationOf, listed, type Arm } from "@roundtrip/analysis";

/** One sentence about arms with parallel calls; empty without any, or where their connections are unknown. */
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
