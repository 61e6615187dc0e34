// How busy the machine was with other work while blocks ran, by the kernel's counters, in one sentence for readers.
import type { Block, Disturbance, MachineEvidence, RunFacts } from "@roundtrip/runs";
import type { Warning } from "./warning.ts";
import { counted } from "../basics/words.ts";

/** The machine over all blocks of a run, including void ones. */
export interface MachineUse {
  readonly cores: number;
  /** Mean number of these cores that others used: 0 to `cores`. */
  readonly othersCores: number;
  /** Mean number of cores that the hypervisor gave to others. */
  readonly stolenCores: number;
  readonly blocks: number;
  /** Blocks that lost their core for more than a tenth of their time. */
  readonly lostCore: number;
  /** The control group's CPU limit in cores, and the blocks that it stopped for more than a tenth of their time; absent without a limit. */
  readonly quota?: { readonly cores: number; readonly blocks: number };
}

/** A machine is busy when others use more of its cores, or more of the blocks lose theirs. */
const mostOthersShare = 0.1;
const mostLostShare = 0.05;

function hasLostCore({ disturbance }: Block): boolean {
  const kinds: readonly (Disturbance["kind"] | undefined)[] = ["lost-core", "steal"];
  return kinds.includes(disturbance?.kind);
}

/** Null where the kernel counted nothing, as in older runs. */
export function machineUse({ blocks, voidBlocks = [] }: Pick<RunFacts, "blocks" | "voidBlocks">): MachineUse | null {
  const all = [...blocks, ...voidBlocks];
  const seen = all.flatMap(({ machine }) => machine ?? []);
  const sum = (of: (machine: MachineEvidence) => number): number => seen.reduce((total, one) => total + of(one), 0);
  const watchedMs = sum((machine) => machine.watchedMs);
  if (watchedMs === 0) return null;
  const quotas = seen.flatMap(({ quotaCores }) => quotaCores ?? []);
  const throttled = blocks.filter(({ disturbance }) => disturbance?.kind === "throttled");
  return {
    ...(quotas.length === 0 ? {} : { quota: { cores: Math.min(...quotas), blocks: throttled.length } }),
    cores: Math.max(...seen.map(({ cores }) => cores)),
    othersCores: Math.max(0, sum(({ busyMs, ownMs }) => busyMs - ownMs) / watchedMs),
    stolenCores: sum(({ stealMs }) => stealMs) / watchedMs,
    blocks: blocks.length,
    lostCore: blocks.filter(hasLostCore).length,
  };
}

function isBusy({ cores, othersCores, stolenCores, blocks, lostCore }: MachineUse): boolean {
  return othersCores + stolenCores > mostOthersShare * cores || lostCore > mostLostShare * blocks;
}

function lostText({ blocks, lostCore }: MachineUse): string {
  if (lostCore === 0) return "no block lost its core";
  return `${lostCore.toLocaleString("en-US")} of ${counted(blocks, "block")} lost their core`;
}

/** Fewer cores than these are none to a reader. */
const leastCores = 0.01;

/** What to look at first. A core may be lost without either, to a virtual machine whose hypervisor counts no steal. */
function causeText({ cores, othersCores, stolenCores }: MachineUse): string {
  if (othersCores > mostOthersShare * cores || othersCores >= Math.max(leastCores, stolenCores)) return "busy machine";
  return stolenCores >= leastCores ? "cores stolen by the hypervisor" : "lost cores";
}

/** One line without a full stop, such as `other processes took 0.9 of 2 cores; no block lost its core`. */
export function machineUseText(use: MachineUse): string {
  const { cores, othersCores, stolenCores } = use;
  const stolen = stolenCores < leastCores ? "" : ` and the hypervisor ${stolenCores.toPrecision(2)}`;
  const others = othersCores < leastCores ? `less than ${leastCores}` : othersCores.toPrecision(2);
  return `other processes took ${others} of ${counted(cores, "core")}${stolen}; ${lostText(use)}`;
}

function throttledWarnings({ blocks, cores, quota }: MachineUse): readonly Warning[] {
  if (quota === undefined || quota.blocks <= mostLostShare * blocks) return [];
  const allowed = `the control group allows ${Number(quota.cores.toPrecision(2))} of ${counted(cores, "core")}`;
  const held = `${quota.blocks.toLocaleString("en-US")} of ${counted(blocks, "block")} waited for it`;
  return [{ code: "throttled", message: `${allowed}: ${held} for more than a tenth of their time` }];
}

/** One warning if blocks lost cores, one if the run's own limit stopped blocks. */
export function busyWarnings(use: MachineUse | null): readonly Warning[] {
  if (use === null) return [];
  const busy = isBusy(use) ? [{ code: "busy", message: `${causeText(use)}: ${machineUseText(use)}` }] : [];
  return [...throttledWarnings(use), ...busy];
}
