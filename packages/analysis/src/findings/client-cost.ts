// Whether a style's client or its server makes it slow, by the CPU time of both.
import { comparableArms, type Cell } from "../comparison/leading-cell.ts";
import { styleReferences } from "../comparison/stack-pairs.ts";
import type { CpuRatio } from "../comparison/cpu-ratios.ts";
import type { Finding } from "./finding.ts";
import type { Arm } from "../run/run-facts.ts";
import { durationText, listed, ratioText } from "../basics/words.ts";
import { keyOf, workFactors } from "../run/arm-factors.ts";
import type { Evidence } from "./evidence.ts";
import { byStrength, intervalText, withoutRepeatedIntervalText, strengthOfClaim, workText } from "./phrases.ts";

interface Pairing {
  readonly one: Arm;
  readonly other: Arm;
  readonly client: CpuRatio;
  readonly server: CpuRatio;
  /** The client's share of the extra CPU time of `one`; null when that is too little to explain the latency. */
  readonly clientShare: number | null;
}

/** Extra CPU time explains a difference of latency if it is at least this share of it. */
const explains = 1 / 2;

/** A process causes the difference if it has at least this share of it. */
const most = 2 / 3;

function pairingOf(one: Arm, other: Arm, evidence: Evidence): readonly Pairing[] {
  const client = evidence.cpuRatio("clientCpuMsPerTask", one.id, other.id);
  const server = evidence.cpuRatio("serverCpuMsPerTask", one.id, other.id);
  if (client === undefined || server === undefined) return [];
  const more = (metric: CpuRatio["metric"] | "latencyMs"): number =>
    (evidence.summary(one.id, metric)?.mean ?? 0) - (evidence.summary(other.id, metric)?.mean ?? 0);
  const [clientMs, serverMs] = [more("clientCpuMsPerTask"), more("serverCpuMsPerTask")];
  const share = clientMs / (clientMs + serverMs);
  const enough = clientMs + serverMs > explains * Math.max(0, more("latencyMs"));
  return [{ one, other, client, server, clientShare: enough ? share : null }];
}

function side({ low, high }: CpuRatio): "above" | "below" | null {
  if (low !== null && low > 1) return "above";
  return high !== null && high < 1 ? "below" : null;
}

function clientText({ measured: { generator } }: Evidence): string {
  return generator === undefined ? "its client" : `${generator}'s client`;
}

/** The client library with its package name: `grpc-js` is `@grpc/grpc-js`. A generator's client has none. */
function libraryText({ client }: Arm, evidence: Evidence): string {
  const { generator, libraries } = evidence.measured;
  if (generator !== undefined) return clientText(evidence);
  const library = libraries.find((name) => name.split("/").at(-1) === client);
  return library === undefined ? "its client library" : `its client library, ${library}`;
}

function partText(share: number): string {
  return `${share > 1 ? "all" : `${Math.round(share * 100)} %`} of the CPU that it spends more`;
}

function causeText({ one, client, server, clientShare }: Pairing, evidence: Evidence): string | null {
  if (clientShare === null) return null;
  if (clientShare >= most) {
    return side(client) === "above" ? `mostly ${libraryText(one, evidence)} (${partText(clientShare)})` : null;
  }
  if (clientShare <= 1 - most)
    return side(server) === "above" ? `mostly its server (${partText(1 - clientShare)})` : null;
  return side(client) === "above" && side(server) === "above" ? `${clientText(evidence)} and its server alike` : null;
}

/** CPU time of the floor at the same work: the lower bound for every client and server. */
function boundText(arm: Arm, evidence: Evidence): string {
  const floor = evidence.measured.arms.find(
    (other) =>
      other.role === "floor" &&
      other.study === arm.study &&
      other.task === arm.task &&
      other.variant === arm.variant &&
      keyOf(workFactors(other)) === keyOf(workFactors(arm)),
  );
  const cpu = (["clientCpuMsPerTask", "serverCpuMsPerTask"] as const).flatMap(
    (metric) => evidence.summary(floor?.id ?? "", metric)?.mean ?? [],
  );
  return cpu.length < 2 ? "" : ` The bound, a TCP echo, spends ${listed(cpu.map(durationText))}.`;
}

function ratiosText({ one, other, client, server }: Pairing, nameOther: boolean): readonly string[] {
  const [theirs, its] = nameOther ? [` the client CPU of ${other.title}`, " its server CPU"] : ["", ""];
  return [
    `${one.title} spends ${ratioText(client.ratio)} ×${theirs} (${intervalText(client)})`,
    ` and ${ratioText(server.ratio)} ×${its} (${intervalText(server)})`,
  ];
}

/** Why styles are clearly slower than the fastest: one sentence for those with a clear cause, one for the others. */
function againstFastest(slower: readonly Pairing[], study: string, evidence: Evidence): readonly Finding[] {
  const rows = slower.map((pairing) => ({ pairing, cause: causeText(pairing, evidence) }));
  const strengthOf = ({
    pairing: { one, other, client, server },
    cause,
  }: (typeof rows)[number]): Finding["strength"] => {
    if (cause === null) return "inconclusive";
    const latency = evidence.comparison(one.id, other.id);
    return strengthOfClaim(client, server, ...(latency === undefined ? [] : [latency]));
  };
  return byStrength(rows, strengthOf).map(([strength, alike]) => {
    const phrases = withoutRepeatedIntervalText(
      alike.flatMap(({ pairing }, index) => ratiosText(pairing, index === 0)),
    );
    const parts = alike.map(({ cause }, index) => {
      const ratios = `${phrases[2 * index]}${phrases[2 * index + 1]}`;
      if (cause === null) return `${ratios}, so the cause is unclear`;
      return `${ratios}: ${index === 0 ? "what makes it slower here is " : ""}${cause}`;
    });
    const { one } = (alike[0] as (typeof alike)[number]).pairing;
    return {
      code: "client-cost",
      study,
      sentence: `For ${workText(one)}, ${parts.join("; ")}.${boundText(one, evidence)}`,
      strength,
      armIds: alike.flatMap(({ pairing }) => [pairing.one.id, pairing.other.id]),
    };
  });
}

/** Two styles of which one clearly spends more in the client and less in the server. */
function tradeOff(pairing: Pairing, study: string, evidence: Evidence): readonly Finding[] {
  const { one, other, client, server } = pairing;
  if (side(client) !== "above" || side(server) !== "below") return [];
  return [
    {
      code: "client-against-server",
      study,
      sentence: `For ${workText(one)}, ${withoutRepeatedIntervalText(ratiosText(pairing, true)).join("")}: what ${one.title} saves on the server goes into ${clientText(evidence)}.`,
      strength: strengthOfClaim(client, server),
      armIds: [one.id, other.id],
    },
  ];
}

export function clientCost(cell: Cell, evidence: Evidence): readonly Finding[] {
  const { study } = cell;
  const arms = styleReferences(comparableArms(cell));
  const meanOf = ({ id }: Arm): number => evidence.summary(id, "latencyMs")?.mean ?? Infinity;
  const [fastest, ...others] = arms.toSorted((one, other) => meanOf(one) - meanOf(other));
  if (fastest === undefined) return [];
  const slower = others.filter((arm) => evidence.comparison(arm.id, fastest.id)?.verdict === "different");
  const pairs = arms.flatMap((one) => arms.filter((other) => other !== one).map((other) => [one, other] as const));
  return [
    ...againstFastest(
      slower.flatMap((arm) => pairingOf(arm, fastest, evidence)),
      study,
      evidence,
    ),
    ...pairs.flatMap(([one, other]) =>
      pairingOf(one, other, evidence).flatMap((pairing) => tradeOff(pairing, study, evidence)),
    ),
  ];
}
