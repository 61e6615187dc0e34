// `pnpm fuzz:hostile`: runs every attack on a stack and reports the memory of the servers afterwards.
import { exitStatus, jsonOption, namesArgument, printJson, programNamed, run } from "../../programs/program.ts";
import type { Memory } from "../served.ts";
import { styleStacks } from "../style-stacks.ts";
import { attacksOn, usuallyAttacked } from "./hostile.ts";
import type { MemoryGrowth } from "./memory-growth.ts";

interface Options {
  readonly only?: string;
  readonly json?: true;
}

/** A larger growth of memory is a leak. */
const allowedGrowth = 0.1;
const times = 3;
/** If memory seems to grow, it is measured again: a leak goes on, chance does not. */
const mostTimes = 6;

/** Relative growth: 0.1 is 10 % more. */
interface Growth {
  /** The used heap after the last repetition, against that before the first. */
  readonly heap: number;
  /**
   * Resident memory, per repetition after the second, against that after the second. An allocator keeps what floods made it allocate. How much it has
   * after the first repetition varies with the number of threads that allocate at once; later only a leak makes it grow.
   */
  readonly resident: number;
}

function growthOf({ before, after }: MemoryGrowth): Growth {
  const [, second = before, ...later] = after;
  const last = later.at(-1) ?? second;
  return {
    heap: last.heapBytes / before.heapBytes - 1,
    resident: (last.residentBytes / second.residentBytes - 1) / Math.max(1, later.length),
  };
}

function verdictOf({ heap, resident }: Growth): "met" | "missed" {
  return heap > allowedGrowth || resident > allowedGrowth ? "missed" : "met";
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}

function percent(share: number): string {
  return `${share >= 0 ? "+" : "−"}${Math.abs(share * 100).toFixed(1)} %`;
}

function line(
  what: string,
  { before, after }: MemoryGrowth,
  bytesOf: (memory: Memory) => number,
  judged: string,
): string {
  const passes = after.map((memory) => mebibytes(bytesOf(memory))).join(", ");
  return `  ${what}: ${mebibytes(bytesOf(before))} MiB before, ${passes} after each time (${judged})`;
}

function textOf(stack: string, memory: MemoryGrowth, growth: Growth): string {
  const allowed = `allowed +${allowedGrowth * 100} %`;
  return [
    `${stack}: ${memory.attacks} attacks withstood, ${memory.after.length} times; memory: ${verdictOf(growth)}`,
    line("in use", memory, ({ heapBytes }) => heapBytes, `last against before ${percent(growth.heap)}, ${allowed}`),
    line(
      "resident",
      memory,
      ({ residentBytes }) => residentBytes,
      `each time after the second ${percent(growth.resident)}, ${allowed}`,
    ),
  ].join("\n");
}

function onAttack(name: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${name}`.slice(0, process.stderr.columns));
}

async function attackAll(given: readonly string[], { only = "", json }: Options): Promise<void> {
  const names = given.length > 0 ? given : usuallyAttacked;
  const attacks = (await Promise.all(names.map((name) => attacksOn(name, only)))).flat();
  if (attacks.length === 0) program.error(`error: no attack has "${only}" in its name`);
  const { measureMemoryGrowth } = await import("./memory-growth.ts");
  const stacks: { readonly stack: string; readonly memory: MemoryGrowth; readonly growth: Growth }[] = [];
  for (const stack of names) {
    const again = (memory: MemoryGrowth): boolean =>
      memory.after.length < times || (memory.after.length < mostTimes && verdictOf(growthOf(memory)) === "missed");
    const memory = await measureMemoryGrowth(stack, { words: only, again, onAttack });
    stacks.push({ stack, memory, growth: growthOf(memory) });
  }
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  if (stacks.some(({ growth }) => verdictOf(growth) === "missed")) process.exitCode = exitStatus.found;
  if (json === true) {
    const figures = stacks.map(({ stack, memory, growth }) => ({
      stack,
      ...memory,
      growth,
      verdict: verdictOf(growth),
    }));
    printJson({ allowedGrowth, stacks: figures });
  } else for (const { stack, memory, growth } of stacks) process.stdout.write(`${textOf(stack, memory, growth)}\n`);
}

const program = programNamed(
  "fuzz:hostile",
  `Every attack on a stack, ${times} times, or up to ${mostTimes} while memory grows, with a polite caller meanwhile. Ends with 1 when a server holds much more memory afterwards ` +
    "than before the first attack, or is given more each time, and fails when it does not stand an attack.",
)
  .addArgument(
    namesArgument(
      "[stack...]",
      "whose server; each server unless named",
      styleStacks.map(({ name }) => name),
    ),
  )
  .option("--only <words>", "only attacks that have these words in their name")
  .addOption(jsonOption())
  .action(attackAll);

await run(program);
