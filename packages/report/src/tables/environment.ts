// What ran where, as a table of names and values.
import { isForeign, type ReportInput } from "../view/report-input.ts";
import type { RunTable } from "../view/run-view.ts";
import { durationText, machineUseText, roundsText } from "@roundtrip/analysis";
import type { Environment, Scalar } from "@roundtrip/runs";
import { bytes, longDuration, number } from "../basics/quantity.ts";
import { agreementText, generatorsText } from "../words/run-text.ts";
import { column, measuredRow, type Table } from "../basics/table.ts";

type Pair = readonly [string, string];

function settingsText(settings: Readonly<Record<string, Scalar>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} ${typeof value === "number" ? number(value) : String(value)}`)
    .join(", ");
}

/** For runs measured here; imported results do not report it. */
function machineRows({ cpuModel, cores, memoryGiB, kernel, congestionControl, link }: Environment): readonly Pair[] {
  const mtu = link.mtuBytes > 0 ? `${bytes(link.mtuBytes)} bytes` : "not known";
  return [
    ["processor", `${cpuModel}, ${cores} cores`],
    ["memory", `${number(memoryGiB)} GiB`],
    ["kernel", `${kernel}, congestion control ${congestionControl}`],
    ["link", `${link.kind}, measured round trip ${durationText(link.rttMs)}, MTU ${mtu}`],
  ];
}

function environmentTable({ facts, analysis }: ReportInput): Table {
  const { environment } = facts;
  const libraries = Object.entries(environment.libraries).map(([name, version]) => `${name} ${version}`);
  const generator = generatorsText(environment);
  const pairs: readonly Pair[] = [
    ["command", facts.command],
    ["started", facts.startedAt],
    ["duration", longDuration(facts.durationMs)],
    ["status", facts.status],
    ["rounds", roundsText(analysis.rounds)],
    ["seed", String(facts.seed)],
    ["runtime", environment.runtime],
    ...(environment.cores === 0 ? [] : machineRows(environment)),
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
      : [["warm-up", `${durationText(environment.warmUpMs)} together, then each stack alone`] as const]),
    ...(environment.targets ?? []).map(
      ({ stack, url, connectMs }) =>
        [`target ${stack}`, `${url}, ran already; a connection took ${durationText(connectMs)}`] as const,
    ),
    ...(generator === undefined ? [] : [["generator", generator] as const]),
    ["placement", environment.placement],
    ...(analysis.machineUse === null ? [] : [["other work", machineUseText(analysis.machineUse)] as const]),
    ...Object.entries(environment.settings ?? {}).map(
      ([stack, settings]) => [`defaults of ${stack}`, settingsText(settings)] as const,
    ),
    ...(libraries.length === 0 ? [] : [["libraries", libraries.join(", ")] as const]),
    ["verification", agreementText(facts)],
  ];
  return {
    id: "environment",
    caption: "What ran where",
    columns: [column.start("what"), column.start("value")],
    rows: pairs.map((cells) => measuredRow(cells)),
    note:
      generator === undefined || libraries.length === 0
        ? ""
        : "Libraries and defaults are those of servers, and of the clients that compared answers and warmed up. The generator has its own.",
  };
}

export const reportTable: RunTable = {
  name: "environment",
  order: 10,
  section: "environment",
  tables: (input) => (isForeign(input) ? [] : [{ table: environmentTable(input), stacks: [] }]),
};
