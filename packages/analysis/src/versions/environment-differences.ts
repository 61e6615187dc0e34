// What was not the same around two runs: the first suspect when their figures differ.
import { generatorName } from "../run/generator-name.ts";
import type { Environment } from "../run/run-facts.ts";
import { counted } from "../basics/words.ts";
import type { EnvironmentDifference } from "./version-comparison.ts";

/** The link's round-trip time is measured, and so never quite the same: it differs from a tenth of a millisecond and a fifth on. */
function linkOf({ link }: Environment, other: Environment["link"]): string {
  const { kind, rttMs, mtuBytes } = link;
  const gap = Math.abs(rttMs - other.rttMs);
  const isFar = gap > 0.1 && gap > 0.2 * Math.min(rttMs, other.rttMs);
  const distance = isFar ? `, ${rttMs.toPrecision(3)} ms round trip` : "";
  return `${kind}${distance}${mtuBytes === other.mtuBytes || mtuBytes === 0 ? "" : `, packets of ${counted(mtuBytes, "byte")}`}`;
}

/** An import knows nothing of the machines that were called, and keeps 0 for what is a number. */
const unlessUnknown = (value: number, text: string): string => (value === 0 ? "unknown" : text);

const ownClients = "Node.js clients";

function memoryOf({ memoryGiB }: Environment): string {
  return unlessUnknown(memoryGiB, `${Math.round(memoryGiB)} GiB`);
}

function rows(base: Environment, head: Environment): readonly (readonly [string, string, string])[] {
  // A library that only one of them has is that of a stack that only one of them measured.
  const libraries = Object.keys(base.libraries).filter((name) => head.libraries[name] !== undefined);
  return [
    ["CPU model", base.cpuModel, head.cpuModel],
    ["cores", unlessUnknown(base.cores, `${base.cores}`), unlessUnknown(head.cores, `${head.cores}`)],
    ["memory", memoryOf(base), memoryOf(head)],
    ["runtime", base.runtime, head.runtime],
    ["generator", generatorName(base) ?? ownClients, generatorName(head) ?? ownClients],
    ["kernel", base.kernel, head.kernel],
    ["congestion control", base.congestionControl, head.congestionControl],
    ["placement of processes", base.placement, head.placement],
    ["network", linkOf(base, head.link), linkOf(head, base.link)],
    ["TLS", base.tls === true ? "on" : "off", head.tls === true ? "on" : "off"],
    ...libraries.map((name) => [`version of ${name}`, base.libraries[name] ?? "", head.libraries[name] ?? ""] as const),
  ];
}

/** In the order in which they are likely to matter; none where all was alike. */
export function environmentDifferences(base: Environment, head: Environment): readonly EnvironmentDifference[] {
  return rows(base, head).flatMap(([what, ofBase, ofHead]) =>
    ofBase === ofHead ? [] : [{ what, base: ofBase, head: ofHead }],
  );
}
