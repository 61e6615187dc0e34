// Renews the table of docs/method.md on servers of known latency: `pnpm load-truth`, on an idle machine, takes two minutes.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reading } from "../bench/self/processes/load-truth-process.ts";
import { withBlock } from "./page-block.ts";

const root = join(import.meta.dirname, "..");
const page = join(root, "docs/method.md");

const byWords = { ours: "ours", server: "its own clock", autocannon: "autocannon" } as const;

/** Empty for servers that answer at once, whose reading is the round trip. */
function truthOf({ trueMs }: Reading): string {
  return trueMs === 0 ? "" : trueMs.toFixed(1);
}

/** The relative error; empty for the round trip. */
function offOf({ readMs, trueMs }: Reading): string {
  return trueMs === 0 ? "" : `${(100 * (readMs / trueMs - 1)).toFixed(1)} %`;
}

function tableOf(readings: readonly Reading[]): string {
  const rows = readings.map((reading) => {
    const { by, load, server, percentile, readMs } = reading;
    const cells = [server, `${byWords[by]}, ${load}`, percentile, readMs.toFixed(1), truthOf(reading), offOf(reading)];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| server | read by | percentile | read, ms | truth, ms | off |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

const program = join(root, "bench/self/processes/load-truth-process.ts");
const output = execFileSync(process.execPath, [program], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const readings = JSON.parse(output) as readonly Reading[];
const day = new Date().toISOString().slice(0, 10);
const measured = `Measured on ${day} by \`pnpm load-truth\`.`;
writeFileSync(page, withBlock(readFileSync(page, "utf8"), "load-truth", `${tableOf(readings)}\n\n${measured}\n`));
