// The calls of one round as analysis reads them: what is written to the run directory, without the way there and back.
import type { Arm, Samples } from "@roundtrip/analysis";
import { columnKinds, namedColumns, type ReadColumns } from "@roundtrip/analysis/call-columns";
import type { SampleRows } from "./sample-rows.ts";

/** The place of each word in a list that grows with new ones. */
function placesIn(words: readonly string[], list: string[]): readonly number[] {
  const places = new Map(list.map((word, place) => [word, place]));
  return words.map((word) => {
    const place = places.get(word) ?? list.push(word) - 1;
    places.set(word, place);
    return place;
  });
}

/** @param arms those of the run, in its order. */
export function roundSamples(rows: SampleRows, arms: readonly Pick<Arm, "id">[]): Samples {
  const outcomes = ["OK"];
  const ids = arms.map(({ id }) => id);
  const columns = namedColumns.map(({ name, kind, readAs }) => {
    if (kind === "arm") return [readAs, Uint32Array.from(placesIn(rows.armId, ids))] as const;
    if (kind === "outcome") return [readAs, Uint8Array.from(placesIn(rows.outcome, outcomes))] as const;
    const values = rows[name] as ArrayLike<number | bigint | null>;
    const column = new columnKinds[kind].read(values.length);
    for (let row = 0; row < values.length; row += 1) column[row] = Number(values[row] ?? Number.NaN);
    return [readAs, column] as const;
  });
  return { length: rows.armId.length, outcomes, ...(Object.fromEntries(columns) as unknown as ReadColumns) };
}
