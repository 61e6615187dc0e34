// Converts the calls of one round to the form in which analysis reads them, without writing and reading a file.
import type { Arm, Samples } from "@roundtrip/analysis";
import { columnKinds, namedColumns, type ReadColumns } from "@roundtrip/analysis/call-columns";
import type { SampleRows } from "./sample-rows.ts";

/** The index of each word in a list, to which new words are added. */
function indexesIn(words: readonly string[], list: string[]): readonly number[] {
  const indexes = new Map(list.map((word, index) => [word, index]));
  return words.map((word) => {
    const index = indexes.get(word) ?? list.push(word) - 1;
    indexes.set(word, index);
    return index;
  });
}

/** @param arms those of the run, in its order. */
export function roundSamples(rows: SampleRows, arms: readonly Pick<Arm, "id">[]): Samples {
  const outcomes = ["OK"];
  const ids = arms.map(({ id }) => id);
  const columns = namedColumns.map(({ name, kind, readAs }) => {
    if (kind === "arm") return [readAs, Uint32Array.from(indexesIn(rows.armId, ids))] as const;
    if (kind === "outcome") return [readAs, Uint8Array.from(indexesIn(rows.outcome, outcomes))] as const;
    const values = rows[name] as ArrayLike<number | bigint | null>;
    const column = new columnKinds[kind].read(values.length);
    for (let row = 0; row < values.length; row += 1) column[row] = Number(values[row] ?? Number.NaN);
    return [readAs, column] as const;
  });
  return { length: rows.armId.length, outcomes, ...(Object.fromEntries(columns) as unknown as ReadColumns) };
}
