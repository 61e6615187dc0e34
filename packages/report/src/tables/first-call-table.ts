// What the first call costs, with its connection set-up, beside what later calls cost.
import type { ReportInput } from "../view/report-input.ts";
import { absent, duration, multiple, timeUnitFor } from "../basics/quantity.ts";
import { column, type Table } from "../basics/table.ts";
import { viewStudies, type ArmView } from "../view/run-view.ts";
import { generatorsText } from "../words/generators-text.ts";
import { armLabel, taskLabel } from "../words/arm-label.ts";
import { withMarkNote } from "../view/unsettled-mark.ts";

// More of them would hide what they show.
const manyArms = 12;

/** The arms that have first calls; of a task with many of them those that stand for it. */
export function firstCallArms(input: ReportInput): readonly { readonly label: string; readonly view: ArmView }[] {
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

/** Null when no first call was recorded. */
export function firstCallTable(input: ReportInput): Table | null {
  const arms = firstCallArms(input);
  if (arms.length === 0) return null;
  const unit = timeUnitFor(arms.flatMap(({ view }) => view.cost.firstCallMs?.p50 ?? []));
  // Later calls of another generator are another client's.
  const isOneClient = generatorsText(input.facts.environment) === undefined;
  const table: Table = {
    id: "first-call",
    caption: `First call of a fresh client to a fresh server, in ${unit.symbol}`,
    columns: [
      column.start("arm"),
      column.end("starts"),
      column.end("first call, median"),
      column.end("lowest"),
      column.end("highest"),
      ...(isOneClient ? [column.end("later calls, median"), column.end("first / later")] : []),
    ],
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
  return withMarkNote(
    input.analysis,
    table,
    arms.map(({ view }) => view.arm),
  );
}
