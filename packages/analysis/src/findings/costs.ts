// What a call costs besides time: CPU of the client and of the server, and bytes.
import type { Finding } from "./finding.ts";
import { bytesText, listed } from "../basics/words.ts";
import type { Cell } from "../comparison/leading-cell.ts";
import type { Evidence } from "./evidence.ts";
import { meanWithInterval, withoutRepeatedIntervalText, workText } from "./phrases.ts";

function inPairs(phrases: readonly string[]): string {
  return phrases.map((phrase, index) => (index > 0 && index % 2 === 0 ? `; ${phrase}` : phrase)).join("");
}

export function cpuShare({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  const rows = arms.flatMap((arm) => {
    const client = evidence.summary(arm.id, "clientCpuMsPerTask");
    const server = evidence.summary(arm.id, "serverCpuMsPerTask");
    return client === undefined || server === undefined ? [] : [{ arm, client, server }];
  });
  const [first] = rows;
  if (first === undefined) return [];
  const each = rows.flatMap(({ arm, client, server }) => [
    `${arm.title} ${meanWithInterval(client)}`,
    ` and ${meanWithInterval(server)}`,
  ]);
  return [
    {
      code: "cpu-share",
      study,
      sentence: `CPU time of ${workText(first.arm)} in the client and the server process: ${inPairs(withoutRepeatedIntervalText(each))}.`,
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
