// The calls of one round as analysis reads them: what is written to the run directory, without the way there and back.
import type { Arm, Samples } from "@roundtrip/analysis";
import type { SampleRows } from "./samples-parquet.ts";

function orNaN(values: readonly (bigint | number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value)));
}

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
  return {
    length: rows.armId.length,
    arm: Uint32Array.from(placesIn(rows.armId, ids)),
    round: Uint32Array.from(rows.round),
    block: Uint32Array.from(rows.block),
    task: Uint32Array.from(rows.index),
    step: Uint32Array.from(rows.step),
    intendedAtNs: Float64Array.from(rows.intendedAtNs, Number),
    startedAtNs: Float64Array.from(rows.startedAtNs, Number),
    endedAtNs: Float64Array.from(rows.endedAtNs, Number),
    outcome: Uint8Array.from(placesIn(rows.outcome, outcomes)),
    outcomes,
    requestBytes: Float64Array.from(rows.requestBytes),
    responseBytes: Float64Array.from(rows.responseBytes),
    firstByteAtNs: orNaN(rows.firstByteAtNs),
    pauses: orNaN(rows.pauses),
    queueNs: orNaN(rows.queueNs),
    serviceNs: orNaN(rows.serviceNs),
  };
}
