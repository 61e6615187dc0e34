// The rows of the table of 1996: calls of one, three and six packets, by 1 to 9 callers, with its think times in proportion to a call. `concurrency`
// has other sizes and styles too, `concurrency-grid` every combination.
import { closedLoop, type Study } from "@roundtrip/runner";
import { echoCallers } from "../echo-callers.ts";
import { publishedFor } from "../published.ts";

const rows = publishedFor("concurrency-table").flatMap((published) => published.rows);

function levelsOf(factor: string): readonly number[] {
  return [...new Set(rows.map(({ factors }) => Number(factors[factor])))].toSorted((low, high) => low - high);
}

const cells = new Set(
  rows.map(({ factors }) => JSON.stringify([factors["packets"], factors["callers"], factors["thinkMs"]])),
);

/** No think time of the table, so that its rows have one arm each. */
const workMs = 1.5;

/** What its authors wished to try: callers whose thinking takes a processor, beside callers who wait as long. */
const working = echoCallers({ packets: [1], callers: [3, 9], thinkMs: [workMs] }).flatMap((task) => [
  task,
  { ...task, load: { pacer: closedLoop({ thinkMs: workMs, thinkTime: "work" }) } },
]);

export const study: Study = {
  name: "concurrency-table",
  title: "Concurrency, the table of 1996",
  question: "What does the published table look like today, and did a model know?",
  rounds: 6,
  budgetMs: 60_000,
  takesFirstCalls: false,
  tasks: [
    ...echoCallers({ packets: levelsOf("packets"), callers: levelsOf("callers"), thinkMs: levelsOf("thinkMs") }).filter(
      ({ factors, callers, load }) =>
        cells.has(JSON.stringify([factors["packets"], callers, load?.pacer.factors["thinkMs"]])),
    ),
    ...working,
  ].map((task) => ({ ...task, styles: ["grpc"] })),
};
