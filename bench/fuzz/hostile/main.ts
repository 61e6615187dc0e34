// `pnpm fuzz:hostile`: every attack on every stack, and what memory the servers hold afterwards.
import { exitStatus, jsonOption, namesArgument, printJson, programNamed, run } from "../../programs/program.ts";
import { attackedStacks, attacks, memoryOver } from "./hostile.ts";

interface Options {
  readonly only?: string;
  readonly json?: true;
}

/** A server that holds more than this beyond what it held before did not let go of something. */
const allowedGrowth = 0.1;

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

async function attackAll(given: readonly string[], { only = "", json }: Options): Promise<void> {
  if (!attacks.some(({ name }) => name.includes(only))) program.error(`error: no attack has "${only}" in its name`);
  const stacks: object[] = [];
  for (const stack of given.length > 0 ? given : attackedStacks) {
    const {
      before,
      after,
      attacks: made,
    } = await memoryOver(stack, only, (name) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${stack}: ${name}`);
    });
    if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
    const growth = after / before - 1;
    const verdict = growth > allowedGrowth ? "missed" : "met";
    if (growth > allowedGrowth) process.exitCode = exitStatus.found;
    stacks.push({
      stack,
      attacks: made,
      heapBytesBefore: before,
      heapBytesAfter: after,
      growth,
      allowedGrowth,
      verdict,
    });
    if (json === true) continue;
    process.stdout.write(
      `${stack}: ${made} attacks withstood; memory in use ${megabytes(before)} before, ${megabytes(after)} after ` +
        `(${growth >= 0 ? "+" : "−"}${Math.abs(growth * 100).toFixed(1)} %, allowed +${allowedGrowth * 100} %: ${verdict})\n`,
    );
  }
  if (json === true) printJson({ stacks });
}

const program = programNamed(
  "fuzz:hostile",
  "Every attack on every stack, twice, with a polite caller meanwhile. Ends with 1 when a server holds much more memory after the " +
    "second time than after the first, and fails when it does not stand an attack.",
)
  .addArgument(namesArgument("[stack...]", "whose server; all unless named", attackedStacks))
  .option("--only <words>", "only attacks that have these words in their name")
  .addOption(jsonOption())
  .action(attackAll);

await run(program);
