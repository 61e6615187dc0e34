// Renews docs/gate/evidence.json by simulating all jobs again: `pnpm gate-evidence`, which takes a minute on two idle cores. `pnpm generate` makes
// the tables and the picture of docs/gate.md from it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Evidence } from "./evidence.ts";
import { headToHead } from "./head-to-head.ts";
import { nullRows } from "./null-jobs.ts";
import { powerRows } from "./power-jobs.ts";

const seed = 1;
const started = performance.now();

function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

const evidence: Evidence = {
  seed,
  null: await nullRows(seed, (text) => say(`equal versions: ${text}`)),
  power: await powerRows(seed, (text) => say(`changes: ${text}`)),
  headToHead: headToHead(seed, (text) => say(`other rules: ${text}`)),
};
say("");
const directory = join(import.meta.dirname, "../../../docs/gate");
mkdirSync(directory, { recursive: true });
writeFileSync(join(directory, "evidence.json"), `${JSON.stringify(evidence, undefined, 2)}\n`);
console.log(`docs/gate/evidence.json renewed in ${((performance.now() - started) / 1000).toFixed(0)} s`);
