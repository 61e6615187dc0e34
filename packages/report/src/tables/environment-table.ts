// What ran where, as a table of names and values.
import { durationText, roundsText, type Scalar } from "@roundtrip/analysis";
import type { ReportInput } from "../report-input.ts";
import { bytes, longDuration, number } from "../words/quantity.ts";
import { column, type Table } from "../table.ts";

function settingsText(settings: Readonly<Record<string, Scalar>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} ${typeof value === "number" ? number(value) : String(value)}`)
    .join(", ");
}

export function environmentTable({ facts, analysis }: ReportInput): Table {
  const { environment, verification } = facts;
  const { link } = environment;
  const pairs: readonly (readonly [string, string])[] = [
    ["command", facts.command],
    ["started", facts.startedAt],
    ["duration", longDuration(facts.durationMs)],
    ["status", facts.status],
    ["rounds", roundsText(analysis.rounds)],
    ["seed", String(facts.seed)],
    ["runtime", environment.runtime],
    ["processor", `${environment.cpuModel}, ${environment.cores} cores`],
    ["memory", `${number(environment.memoryGiB)} GiB`],
    ["kernel", `${environment.kernel}, congestion control ${environment.congestionControl}`],
    [
      "link",
      `${link.kind}, measured round trip ${durationText(link.rttMs)}, MTU ${link.mtuBytes > 0 ? `${bytes(link.mtuBytes)} bytes` : "not known"}`,
    ],
    ...(environment.links ?? []).map(
      ({ kind, rttMs, mtuBytes, asked }) =>
        [
          `network of ${settingsText(asked)}`,
          `${kind}, measured round trip ${durationText(rttMs)}${mtuBytes > 0 ? `, MTU ${bytes(mtuBytes)} bytes` : ""}`,
        ] as const,
    ),
    ...(environment.linkChoice === undefined ? [] : [["choice of link", environment.linkChoice] as const]),
    ...(environment.tls === undefined ? [] : [["TLS", environment.tls ? "on" : "off"] as const]),
    ...(environment.warmUpMs === undefined
      ? []
      : [["warm-up", `${durationText(environment.warmUpMs)} together, then each stack until it settled`] as const]),
    ...(environment.targets ?? []).map(
      ({ stack, url, connectMs }) =>
        [`target ${stack}`, `${url}, ran already; a connection took ${durationText(connectMs)}`] as const,
    ),
    ["placement", environment.placement],
    ...Object.entries(environment.settings ?? {}).map(
      ([stack, settings]) => [`defaults of ${stack}`, settingsText(settings)] as const,
    ),
    [
      "libraries",
      Object.entries(environment.libraries)
        .map(([name, version]) => `${name} ${version}`)
        .join(", "),
    ],
    [
      "verification",
      `${verification.responsesCompared} responses in ${verification.answerGroups} groups compared before timing: ${verification.agreed ? "all agreed" : "they did not agree"}`,
    ],
  ];
  return {
    id: "environment",
    caption: "What ran where",
    columns: [column.start("what"), column.start("value")],
    rows: pairs.map((cells) => ({ role: "measured", nested: null, cells })),
    note: "",
  };
}
