// The parts of an environment that must be equal for a difference of two runs to come from the code alone.
import { generatorName } from "../run/generator-name.ts";
import type { Environment } from "../run/run-facts.ts";
import type { EnvironmentDifference } from "../versions/version-comparison.ts";

export interface EnvironmentFingerprint {
  readonly cpuModel: string;
  readonly cores: number;
  readonly kernel: string;
  /** Includes the generator, if Roundtrip's clients did not make the calls. */
  readonly runtime: string;
  /** The kind of network between client and server. Excludes the round-trip time, which is measured and always varies. */
  readonly link: string;
}

const names = {
  cpuModel: "CPU model",
  cores: "cores",
  kernel: "kernel",
  runtime: "runtime",
  link: "network",
} as const satisfies Readonly<Record<keyof EnvironmentFingerprint, string>>;

export function environmentFingerprint(environment: Environment): EnvironmentFingerprint {
  const { cpuModel, cores, kernel, link } = environment;
  const generator = generatorName(environment);
  const runtime = generator === undefined ? environment.runtime : `${environment.runtime}, calls by ${generator}`;
  return { cpuModel, cores, kernel, runtime, link: link.kind };
}

/** What differs, likely most important first; empty if nothing does. */
export function fingerprintDifferences(
  base: EnvironmentFingerprint,
  head: EnvironmentFingerprint,
): readonly EnvironmentDifference[] {
  return (Object.keys(names) as (keyof EnvironmentFingerprint)[]).flatMap((key) =>
    base[key] === head[key] ? [] : [{ what: names[key], base: String(base[key]), head: String(head[key]) }],
  );
}
