// A process that adds runs to a history: `FILE NAME COUNT`; with `FILE NAME stop` it stops for good in the middle of one.
import { HistoryFile } from "../../src/history/history-file.ts";
import { madeCell, madeCells, madeRun } from "./made-runs.ts";

const [, , path = "", name = "", count = ""] = process.argv;

/** Enough to leave the cache, so that pages of a run that is never finished are in the file. */
const manyRounds = Array.from({ length: 1_000 }, (_, round) => round + 0.123_456_789);
const halfCells = 1_000;

function* endlessCells() {
  for (let index = 0; index < halfCells; index += 1) {
    const cell = madeCell(`stack-${index}`, "latencyMs", 1);
    yield { ...cell, roundMeans: manyRounds };
  }
  process.send?.("in the middle");
  // Nothing but a signal ends it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

if (count === "stop") {
  using history = HistoryFile.forWriting(path);
  history.add(madeRun(0, { id: name }), endlessCells());
} else {
  for (let index = 0; index < Number(count); index += 1) {
    using history = HistoryFile.forWriting(path);
    history.add(madeRun(index, { id: `${name}-${index}` }), madeCells(1));
  }
}
