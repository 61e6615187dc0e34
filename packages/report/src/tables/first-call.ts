// The cost of the first call, with its connection set-up, beside later calls.
import type { RunTable } from "../view/report-table.ts";
import { firstCallArms } from "../rows/first-call-arms.ts";
import type { ReportInput } from "../view/report-input.ts";
import { absent, duration, multiple, timeUnitFor } from "../basics/quantity.ts";
import { figureColumns, type NamedTable, type Table } from "../basics/table.ts";
import { generatorsText } from "../words/environment-text.ts";

function firstCallTables(input: ReportInput): readonly NamedTable[] {
  const arms = firstCallArms(input);
  if (arms.length === 0) return [];
  const unit = timeUnitFor(arms.flatMap(({ view }) => view.cost.firstCallMs?.p50 ?? []));
  // Later calls of another generator come from another client.
  const isOneClient = generatorsText(input.facts.environment) === undefined;
  const table: Table = {
    id: "first-call",
    caption: `First call of a fresh client to a fresh server, in ${unit.symbol}`,
    columns: figureColumns(
      "arm",
      "starts",
      "first call, median",
      "lowest",
      "highest",
      ...(isOneClient ? ["later calls, median", "first / later"] : []),
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
          duration(first?.p50, unit),
          duration(first?.min, unit),
          duration(first?.max, unit),
          ...(isOneClient
            ? [
                duration(later?.p50, unit),
                multiple(first === undefined || later === null ? null : first.p50 / later.p50),
              ]
            : []),
        ],
      };
    }),
    note: `${isOneClient ? "" : "Made by this project's own client, and not by the generator. "}The first call of a pair of processes, which the studies of a run take in turn: a few starts, so the range is shown and no interval. It carries connection set-up, code that runs for the first time and caches that are empty; it is in no other figure.`,
  };
  return [{ table, stacks: arms.map(({ view }) => view.arm) }];
}

export const reportTable: RunTable = {
  name: "first-call",
  order: 10,
  section: "first calls",
  tables: firstCallTables,
};
