// `--engine` and its options: which load generator makes the calls.
import { InvalidArgumentError, type Option } from "commander";
import { numberOption, repeatedOption, valueOption } from "../options/options.ts";
import type { ContractSource, Engine, Target } from "@roundtrip/runner";
import { CliError } from "../basics/cli-error.ts";

export const engineNames = ["node", "k6"] as const;

export type EngineName = (typeof engineNames)[number];

export interface EngineFlags {
  readonly engine: EngineName;
  readonly instances?: number;
  readonly import?: readonly string[];
  readonly plan?: readonly string[];
}

/** More processes on one machine have no benefit. */
const mostInstances = 64;

export function engineOptions(): readonly Option[] {
  return [
    valueOption("effort", "--engine <name>", "who makes the calls: node or k6")
      .argParser(engineOf)
      .default("node" satisfies EngineName, "node"),
    numberOption("effort", "--instances <number>", "processes of k6 (default: 1)", [1, mostInstances]),
    repeatedOption("subject", "--import <files...>", "results of k6 that ran elsewhere"),
    repeatedOption("subject", "--plan <directory>", "the export that k6 ran (default: beside the results)"),
  ];
}

function engineOf(value: string): EngineName {
  const engine = engineNames.find((name) => name === value);
  if (engine !== undefined) return engine;
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
  const { engine, instances, plan, tls } = flags;
  if (engine === "node") {
    if (instances !== undefined) usage("--instances is for k6: give --engine k6, too");
    if (flags.import !== undefined) usage("--import takes results of k6: give --engine k6, too");
  }
  if (flags.import === undefined) {
    if (plan !== undefined) usage("--plan is for --import: it says which export the results are of");
  } else {
    if (names.length > 0) usage(`--import takes the studies of its plan: leave ${names.join(" ")} out`);
  }
  if (engine === "k6" && tls) usage("--engine k6 calls without TLS: leave --tls out");
  // Go reads no file of authorities there.
  if (engine === "k6" && ["darwin", "win32"].includes(process.platform) && targets.some(({ ca }) => ca !== undefined)) {
    usage("--engine k6 trusts only the authorities of this system: add yours to them, and leave --ca out");
  }
}

/** Multiples of the usual budget: k6 starts cells at fixed times, with pauses for slow calls. */
export const budgetShares = { node: 1, k6: 3 } as const satisfies Record<EngineName, number>;

/** Rejects with a K6Error `no-k6` before anything starts. */
export async function k6EngineOf(
  { engine, instances = 1 }: EngineFlags,
  contract: ContractSource,
  targets: readonly Target[],
): Promise<Engine | undefined> {
  if (engine !== "k6") return undefined;
  const { contractImage, findK6, k6Engine } = await import("@roundtrip/k6");
  return k6Engine({ k6: await findK6(), instances, image: contractImage(contract), targets });
}
