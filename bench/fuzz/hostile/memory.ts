// The memory of a server before all attacks and after each repetition of them, and whether it leaks.
import { create } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { PoliteCaller } from "../polite-caller.ts";
import { served, type Memory, type Served } from "../served.ts";
import { operationNamed } from "./connection.ts";
import { attacksOn, withstand } from "./hostile.ts";

export interface MeasuredMemory {
  readonly attacks: number;
  /** After normal calls only. */
  readonly before: Memory;
  /** After all attacks, for each repetition. */
  readonly after: readonly Memory[];
}

/** A larger relative growth is a leak: 0.1 is 10 %. */
const allowedGrowth = 0.1;
const times = 3;
/** If memory seems to grow, it is measured again: a leak goes on, chance does not. */
const mostTimes = 6;

/** Enough to load and compile everything that calls need. */
const normalCalls = 1_600;
const callers = 8;

export async function callNormally({ stackName, url }: Served): Promise<void> {
  const client = await (await loadConnect(stackName))(conformanceContract(), { ...connectDefaults, url });
  const echo = operationNamed("Echo");
  const invoke = client.prepare(echo);
  const calling = Array.from({ length: callers }, async () => {
    for (let call = 0; call < normalCalls / callers; call += 1) await invoke(create(echo.input));
  });
  try {
    await Promise.all(calling);
  } finally {
    await client.close();
  }
}

interface Growth {
  /** The used heap after the last repetition, against that before the first. */
  readonly heap: number;
  /**
   * Resident memory, per repetition after the second, against that after the second. An allocator keeps what floods made it allocate. How much it has
   * after the first repetition varies with the number of threads that allocate at once; later only a leak makes it grow.
   */
  readonly resident: number;
}

function growthOf({ before, after }: MeasuredMemory): Growth {
  const [, second = before, ...later] = after;
  const last = later.at(-1) ?? second;
  return {
    heap: last.heapBytes / before.heapBytes - 1,
    resident: (last.residentBytes / second.residentBytes - 1) / Math.max(1, later.length),
  };
}

export function isLeak(memory: MeasuredMemory): boolean {
  const { heap, resident } = growthOf(memory);
  return heap > allowedGrowth || resident > allowedGrowth;
}

/** Makes all attacks with these words in their names on a new server, several times. Rejects like {@link withstand}. */
export async function measureMemory(
  stackName: string,
  words: string,
  onAttack: (name: string) => void,
): Promise<MeasuredMemory> {
  const target = await served(stackName);
  const caller = await PoliteCaller.of(stackName, target.url);
  try {
    const groups = await attacksOn(stackName, words);
    await callNormally(target);
    const after: Memory[] = [];
    const memory = { attacks: groups.flat().length, before: await target.memory(), after };
    while (after.length < times || (after.length < mostTimes && isLeak(memory))) {
      for (const together of groups) {
        onAttack(together.map(({ name }) => name).join("; "));
        await withstand(together, target, caller);
      }
      after.push(await target.memory());
    }
    return memory;
  } finally {
    await caller.close();
    await target.close();
  }
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}

/** The figures, for people. */
export function memoryText(memory: MeasuredMemory): string {
  const { attacks, before, after } = memory;
  const { heap, resident } = growthOf(memory);
  const line = (name: string, growth: number, bytesOf: (at: Memory) => number): string =>
    `  ${name}: ${mebibytes(bytesOf(before))} MiB before, ${after.map((at) => mebibytes(bytesOf(at))).join(", ")} after each time: ` +
    `${(100 * growth).toFixed(1)} %, allowed ${100 * allowedGrowth} %`;
  return [
    `${attacks} attacks withstood, ${after.length} times`,
    line("heap, last against before", heap, ({ heapBytes }) => heapBytes),
    line("resident, each time after the second", resident, ({ residentBytes }) => residentBytes),
  ].join("\n");
}
