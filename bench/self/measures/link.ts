// How far the links of the kernel and of the relay differ from their settings: docs/decisions/0110-links-in-private-namespaces.md.
import { linkDefaults, loadLinkKind } from "@roundtrip/runner";
import { meanFigures } from "../mean-intervals.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";

const distances = [0, 1, 10, 50];
/** For the kernel's link; the relay is reported without a verdict. */
const mostAddedMs = 0.3;

async function addedMs(name: string, rttMs: number): Promise<number> {
  await using link = await (await loadLinkKind(name)).open({ ...linkDefaults, rttMs }, new AbortController().signal);
  return link.facts.rttMs - rttMs;
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const names: string[] = [];
  for (const name of ["kernel", "relay"]) {
    const why = await (await loadLinkKind(name)).unavailable();
    if (why === undefined) names.push(name);
    else process.stderr.write(`no ${name} link: ${why}\n`);
  }
  const rows = names.flatMap((name) => distances.map((rttMs) => ({ name, rttMs, values: [] as number[] })));
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    for (const { name, rttMs, values } of rows) values.push(await addedMs(name, rttMs));
  }
  const series = rows.map(({ name, rttMs, values }) => {
    return {
      of: `${name} link, ${rttMs} ms asked for`,
      unit: "ms",
      atMost: name === "kernel" ? mostAddedMs : undefined,
      values,
    };
  });
  return meanFigures(series, seed);
}

export const measure: Measure = {
  name: "link",
  title: "what a link adds to the round trip that was asked for",
  rounds: 6,
  run,
};
