// Where the time of a call goes: the client library's CPU against the server's, the first call against later ones, and size.
import type { Finding } from "../result.ts";
import type { Arm } from "../run.ts";
import { bytesText, durationText, listed, threeDigits } from "../words.ts";
import type { Cell, Evidence } from "./evidence.ts";
import { meanWithInterval, saidOnce, workText } from "./phrases.ts";

/** Joins phrases two by two: the second of a pair goes on from the first. */
function inPairs(phrases: readonly string[]): string {
  return phrases.map((phrase, index) => (index > 0 && index % 2 === 0 ? `; ${phrase}` : phrase)).join("");
}

/** CPU of both processes per task, beside the latency. */
export function cpuShare({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  const rows = arms.flatMap((arm) => {
    const client = evidence.summary(arm.id, "clientCpuMsPerTask");
    const server = evidence.summary(arm.id, "serverCpuMsPerTask");
    return client === undefined || server === undefined ? [] : [{ arm, client, server }];
  });
  const [first] = rows;
  if (first === undefined) return [];
  const each = rows.flatMap(({ arm, client, server }) => [
    `${arm.title} ${meanWithInterval(client)} in the client process`,
    ` and ${meanWithInterval(server)} in the server`,
  ]);
  return [
    {
      code: "cpu-share",
      study,
      sentence: `CPU time of ${workText(first.arm)}: ${inPairs(saidOnce(each))}.`,
      strength: first.client.meanLow === null ? "inconclusive" : "clear",
      armIds: rows.map(({ arm }) => arm.id),
    },
  ];
}

/** The first call of fresh processes, as a multiple of a median later one. */
export function firstCall({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  const rows = arms.flatMap((arm) => {
    const first = evidence.summary(arm.id, "firstCallMs");
    const later = evidence.summary(arm.id, "latencyMs");
    if (first === undefined || later === undefined || later.p50 <= 0) return [];
    return [
      {
        arm,
        text: `${durationText(first.p50)} over ${arm.title} (${threeDigits(first.p50 / later.p50)} × a later one)`,
      },
    ];
  });
  if (rows.length === 0) return [];
  return [
    {
      code: "first-call",
      study,
      sentence: `The first call between fresh processes took ${listed(rows.map(({ text }) => text))}, in the median.`,
      strength: "fact",
      armIds: rows.map(({ arm }) => arm.id),
    },
  ];
}

function payloadOf(arm: Arm): number {
  return Number(arm.factors["payloadBytes"]);
}

/** How latency grows from the smallest payload to the largest, style by style. */
export function payloadGrowth({ arms, study, task }: Cell, evidence: Evidence): readonly Finding[] {
  const largest = arms.filter((arm) => Number.isFinite(payloadOf(arm)));
  const rows = largest.flatMap((arm) => {
    const series = evidence.measured.arms.filter(
      (other) =>
        other.study === study &&
        other.task === task &&
        other.stack === arm.stack &&
        other.variant === arm.variant &&
        payloadOf(other) < payloadOf(arm),
    );
    const smallest = series.toSorted((one, other) => payloadOf(one) - payloadOf(other))[0];
    const from = smallest && evidence.summary(smallest.id, "latencyMs");
    const to = evidence.summary(arm.id, "latencyMs");
    return smallest === undefined || from === undefined || to === undefined ? [] : [{ arm, smallest, from, to }];
  });
  const [first] = rows;
  if (first === undefined) return [];
  const ends = saidOnce(rows.flatMap(({ from, to }) => [meanWithInterval(from), meanWithInterval(to)]));
  const growth = rows.map(({ arm }, index) => `from ${ends[2 * index]} to ${ends[2 * index + 1]} over ${arm.title}`);
  const apart = rows.every(
    ({ from, to }) => from.meanHigh !== null && to.meanLow !== null && from.meanHigh < to.meanLow,
  );
  const sizes = `${bytesText(payloadOf(first.smallest))} to ${bytesText(payloadOf(first.arm))}`;
  return [
    {
      code: "payload-growth",
      study,
      sentence: `From ${sizes} of payload, mean latency went ${listed(growth)}.`,
      strength: apart ? "clear" : "inconclusive",
      armIds: rows.flatMap(({ arm, smallest }) => [smallest.id, arm.id]),
    },
  ];
}
