// `pnpm fuzz:hostile`: every attack on every stack, and what memory the servers hold afterwards.
import { attackedStacks, memoryOver } from "./hostile.ts";

/** A server that holds more than this beyond what it held before did not let go of something. */
const allowedGrowth = 0.1;

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

let isMet = true;
for (const stackName of attackedStacks) {
  const { before, after, attacks } = await memoryOver(stackName, (name) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${stackName}: ${name}`);
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  const growth = after / before - 1;
  if (growth > allowedGrowth) isMet = false;
  const verdict = growth > allowedGrowth ? "missed" : "met";
  process.stdout.write(
    `${stackName}: ${attacks} attacks withstood; memory in use ${megabytes(before)} before, ${megabytes(after)} after ` +
      `(${growth >= 0 ? "+" : "−"}${Math.abs(growth * 100).toFixed(1)} %, allowed +${allowedGrowth * 100} %: ${verdict})\n`,
  );
}
process.exitCode = isMet ? 0 : 1;
