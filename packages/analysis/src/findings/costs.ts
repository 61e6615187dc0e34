// Where the time of a call goes: the client library's CPU against the server's, the first call against later ones, and size.
import type { Finding } from "../result.ts";
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
      strength: "measured",
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
      strength: "measured",
      armIds: rows.map(({ arm }) => arm.id),
    },
  ];
}

/** What one task moves over the wire, requests and responses together: counted on the client's sockets. */
export function wireBytes({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  const rows = arms.flatMap((arm) => {
    const bytes = evidence.summary(arm.id, "wireBytesPerTask");
    return bytes === undefined ? [] : [{ arm, text: `${bytesText(bytes.mean)} over ${arm.title}` }];
  });
  const [first] = rows;
  if (first === undefined) return [];
  return [
    {
      code: "wire-bytes",
      study,
      sentence: `On the wire, ${workText(first.arm)} moves ${listed(rows.map(({ text }) => text))}, request and response together.`,
      strength: "fact",
      armIds: rows.map(({ arm }) => arm.id),
    },
  ];
}
