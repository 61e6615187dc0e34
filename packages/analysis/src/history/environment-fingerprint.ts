// What of an environment must be the same for a difference of two runs to come from the code alone.
import { generatorName } from "../run/generator-name.ts";
import type { Environment } from "../run/run-facts.ts";
import type { EnvironmentDifference } from "../versions/version-comparison.ts";

export interface EnvironmentFingerprint {
  readonly cpuModel: string;
  readonly cores: number;
  readonly kernel: string;
  /** With the generator, where calls were not made by this project's clients. */
  readonly runtime: string;
  /** The kind of network between client and server: its round-trip time is measured, and never twice the same. */
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

/** What differs, in the order in which it is likely to matter; none where both are alike. */
export function fingerprintDifferences(
  base: EnvironmentFingerprint,
  head: EnvironmentFingerprint,
): readonly EnvironmentDifference[] {
  return (Object.keys(names) as (keyof EnvironmentFingerprint)[]).flatMap((key) =>
    base[key] === head[key] ? [] : [{ what: names[key], base: String(base[key]), head: String(head[key]) }],
  );
}
