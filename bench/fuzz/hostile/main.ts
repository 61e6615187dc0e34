// `pnpm fuzz:hostile`: every attack on a stack, and what memory the servers hold afterwards.
import { exitStatus, jsonOption, namesArgument, printJson, programNamed, run } from "../../programs/program.ts";
import type { Memory } from "../served.ts";
import { styleStacks } from "../style-stacks.ts";
import { attacksOn, usuallyAttacked } from "./hostile.ts";
import type { MemoryOver } from "./memory-over.ts";

interface Options {
  readonly only?: string;
  readonly json?: true;
}

/** A server that holds more than this beyond what it held before did not let go of something. */
const allowedGrowth = 0.1;
const times = 3;

interface Growth {
  /** What is in use after the last time, against what was before the first. */
  readonly heap: number;
  /**
   * What the kernel gave, after the last time against after the one before: an allocator keeps what floods made it take, which after the first
   * time need not be all yet (how many threads allocate at once is chance), and then takes no more unless something leaks.
   */
  readonly resident: number;
}

function growthOf({ before, after }: MemoryOver): Growth {
  const [previous, last] = [after.at(-2) ?? before, after.at(-1) ?? before];
  return {
    heap: last.heapBytes / before.heapBytes - 1,
    resident: last.residentBytes / previous.residentBytes - 1,
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
  { before, after }: MemoryOver,
  bytesOf: (memory: Memory) => number,
  judged: string,
): string {
  const passes = after.map((memory) => mebibytes(bytesOf(memory))).join(", ");
  return `  ${what}: ${mebibytes(bytesOf(before))} MiB before, ${passes} after each time (${judged})`;
}

function textOf(stack: string, over: MemoryOver, growth: Growth): string {
  const allowed = `allowed +${allowedGrowth * 100} %`;
  return [
    `${stack}: ${over.attacks} attacks withstood, ${times} times; memory: ${verdictOf(growth)}`,
    line("in use", over, ({ heapBytes }) => heapBytes, `last against before ${percent(growth.heap)}, ${allowed}`),
    line(
      "resident",
      over,
      ({ residentBytes }) => residentBytes,
      `last against the time before ${percent(growth.resident)}, ${allowed}`,
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
  const { memoryOver } = await import("./memory-over.ts");
  const stacks: { readonly stack: string; readonly over: MemoryOver; readonly growth: Growth }[] = [];
  for (const stack of names) {
    const over = await memoryOver(stack, { words: only, times, onAttack });
    stacks.push({ stack, over, growth: growthOf(over) });
  }
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  if (stacks.some(({ growth }) => verdictOf(growth) === "missed")) process.exitCode = exitStatus.found;
  if (json === true) {
    const figures = stacks.map(({ stack, over, growth }) => ({ stack, ...over, growth, verdict: verdictOf(growth) }));
    printJson({ allowedGrowth, stacks: figures });
  } else for (const { stack, over, growth } of stacks) process.stdout.write(`${textOf(stack, over, growth)}\n`);
}

const program = programNamed(
  "fuzz:hostile",
  `Every attack on a stack, ${times} times, with a polite caller meanwhile. Ends with 1 when a server holds much more memory afterwards ` +
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
