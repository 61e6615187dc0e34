// The cost of the first call, with its connection set-up, beside later calls, and what it spends on that.
import { describeSamples, sortedCopy } from "@roundtrip/analysis";
import type { FirstConnection } from "@roundtrip/runs";
import { viewStudies, type RunTable, type ArmView } from "../view/run-view.ts";
import type { ReportInput } from "../view/report-input.ts";
import { absent, duration, multiple, timeUnitFor } from "../basics/quantity.ts";
import { figureColumns, withoutEmptyColumns, type NamedTable, type Table } from "../basics/table.ts";
import { armLabel, taskLabel } from "../words/arm-label.ts";
import { generatorsText } from "../words/run-text.ts";

// More rows are not readable.
const manyArms = 12;

/** The arms that have first calls; for a task with many, its headline arms. */
function firstCallArms(input: ReportInput): readonly { readonly label: string; readonly view: ArmView }[] {
  return viewStudies(input).flatMap(({ tasks }) =>
    tasks.flatMap((task) => {
      const all = task.arms.filter(({ cost }) => cost.firstCallMs !== undefined);
      const standing = task.headline.filter(({ cost }) => cost.firstCallMs !== undefined);
      return (all.length > manyArms && standing.length > 0 ? standing : all).map((view) => ({
        label: `${taskLabel(task)}, ${armLabel(task, view.arm, task.arms)}`,
        view,
      }));
    }),
  );
}

function firstCallTables(input: ReportInput): readonly NamedTable[] {
  const arms = firstCallArms(input);
  if (arms.length === 0) return [];
  const unit = timeUnitFor(arms.flatMap(({ view }) => view.cost.firstCallMs?.p50 ?? []));
  // Later calls of another generator come from another client.
  const isOneClient = generatorsText(input.facts.environment) === undefined;
  const callsOf = Map.groupBy(input.facts.firstCalls, ({ armId }) => armId);
  const partMs = ({ arm }: ArmView, part: keyof FirstConnection): number | undefined => {
    const values = (callsOf.get(arm.id) ?? []).flatMap((call) => call[part] ?? []);
    return values.length === 0 ? undefined : describeSamples(sortedCopy(values)).p50;
  };
  const parts = ["beforeConnectingMs", "lookUpMs", "connectingMs"] as const;
  const table: Table = withoutEmptyColumns({
    id: "first-call",
    caption: `First call of a fresh client to a fresh server, in ${unit.symbol}`,
    columns: figureColumns(
      "arm",
      "starts",
      "first call, mean",
      "lowest",
      "highest",
      "before connecting",
      "look-up",
      "connecting",
      ...(isOneClient ? ["later calls, mean", "first / later"] : []),
    ),
    rows: arms.map(({ label, view }) => {
      const first = view.cost.firstCallMs;
      const later = view.latency;
      return {
        role: view.arm.role === "floor" ? "floor" : "measured",
        nested: null,
        cells: [
          label,
          first === undefined ? absent : String(first.n),
          duration(first?.mean, unit),
          duration(first?.min, unit),
          duration(first?.max, unit),
          ...parts.map((part) => duration(partMs(view, part), unit)),
          ...(isOneClient
            ? [
                duration(later?.mean, unit),
                multiple(first === undefined || later === null ? null : first.mean / later.mean),
              ]
            : []),
        ],
      };
    }),
    note: `${isOneClient ? "" : "Made by this project's own client, and not by the generator. "}The first call of a pair of processes, which the studies of a run take in turn: a few starts, so the range is shown and no interval. It carries connection set-up, code that runs for the first time and caches that are empty; it is in no other figure. Before connecting: the client's own code, which makes the request or what that needs. Connecting: TCP alone; an address in figures needs no look-up. The rest is TLS, the request, the server and the answer; TLS is what an arm with it takes more.`,
  });
  return [{ table, stacks: arms.map(({ view }) => view.arm) }];
}

export const reportTable: RunTable = {
  name: "first-call",
  order: 10,
  section: "first calls",
  tables: firstCallTables,
};
