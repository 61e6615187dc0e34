// `--engine` and its options: which load generator makes the calls.
import { InvalidArgumentError, type Option } from "commander";
import { repeatedOption, valueOption, wholeNumber } from "../options/options.ts";
import type { ContractSource, Engine, Target } from "@roundtrip/runner";
import { CliError } from "../basics/cli-error.ts";

export const engineNames = ["node", "k6"] as const;

export type EngineName = (typeof engineNames)[number];

export interface TypedEngine {
  readonly name: EngineName;
  /** Processes of k6. */
  readonly instances: number;
}

export interface EngineFlags {
  readonly engine: TypedEngine;
  /** Results of k6, and the folders of the exports that it ran. */
  readonly import?: readonly string[];
}

/** More processes on one machine have no benefit. */
const mostInstances = 64;

export function engineOptions(): readonly Option[] {
  return [
    valueOption("effort", "--engine <name>", "who makes the calls: node, or k6")
      .argParser(engineOf)
      .default({ name: "node", instances: 1 } satisfies TypedEngine, "node"),
    repeatedOption("subject", "--import <files...>", "results of k6, and the export's folder"),
  ];
}

function engineOf(value: string): TypedEngine {
  const [, instances] = /^k6=(.*)$/.exec(value) ?? [];
  if (instances !== undefined) return { name: "k6", instances: wholeNumber(1, mostInstances)(instances) };
  const name = engineNames.find((known) => known === value);
  if (name !== undefined) return { name, instances: 1 };
  throw new InvalidArgumentError(`unknown engine (valid: ${engineNames.join(", ")})`);
}

interface Asked extends EngineFlags {
  readonly tls: boolean;
}

function usage(message: string): never {
  throw new CliError("usage", message);
}

/** Throws a usage error for contradictory flags. */
export function requireEngine(flags: Asked, names: readonly string[], targets: readonly Target[]): void {
  if (flags.import !== undefined && names.length > 0) {
    usage(`--import takes the studies of its plan: leave ${names.join(" ")} out`);
  }
  if (flags.engine.name !== "k6") return;
  if (flags.tls) usage("--engine k6 calls without TLS: leave --tls out");
  // Go reads no file of authorities there.
  if (["darwin", "win32"].includes(process.platform) && targets.some(({ ca }) => ca !== undefined)) {
    usage("--engine k6 trusts only the authorities of this system: add yours to them, and leave ca out");
  }
}

/** Multiples of the usual budget: k6 starts cells at fixed times, with pauses for slow calls. */
export const budgetShares = { node: 1, k6: 3 } as const satisfies Record<EngineName, number>;

/** Rejects with a K6Error `no-k6` before anything starts. */
export async function k6EngineOf(
  { engine: { name, instances } }: EngineFlags,
  contract: ContractSource,
  targets: readonly Target[],
): Promise<Engine | undefined> {
  if (name !== "k6") return undefined;
  const { contractImage, findK6, k6Engine } = await import("@roundtrip/k6");
  return k6Engine({ k6: await findK6(), instances, image: contractImage(contract), targets });
}
