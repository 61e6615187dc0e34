// The durations that k6 itself reports for calls: from the first byte sent to the last received, without the time of its script around a call.
import type { K6Plan } from "@roundtrip/k6";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const ownMetric = /^\{"metric":"(?:http|grpc)_req_duration",/;

interface Sample {
  readonly type: string;
  readonly data: { readonly value: number; readonly tags: Readonly<Record<string, string>> };
}

/** The milliseconds of the plan's calls in JSON output files of k6, by arm id. */
export async function ownDurationsMs(
  { cells }: K6Plan,
  files: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const armOf = new Map(cells.map(({ name, armId }) => [name, armId]));
  const durations = new Map<string, number[]>();
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (!ownMetric.test(line)) continue;
      const { type, data } = JSON.parse(line) as Sample;
      const armId = type === "Point" ? armOf.get(data.tags["scenario"] ?? "") : undefined;
      if (armId === undefined) continue;
      const own = durations.get(armId) ?? [];
      own.push(data.value);
      durations.set(armId, own);
    }
  }
  return durations;
}
