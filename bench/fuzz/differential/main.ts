// `pnpm fuzz:differential`: the differential test for as many requests as asked for.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { differential } from "./differential.ts";

const usage = `Usage: pnpm fuzz:differential [--requests N] [--seed N] [--minutes N]

Asks every stack the same: random requests to the contracts of this project and to contracts made up on the way. Ends with 1 when an
answer differs, and prints the smallest contract and request that it found for it; or when a known limit is none any more.
Defaults: 10000 requests, a seed drawn anew, 30 minutes at most.
`;

function fail(message: string): never {
  process.stderr.write(`${message}\n\n${usage}`);
  process.exit(64);
}

function argumentsGiven() {
  try {
    return parseArgs({
      options: {
        requests: { type: "string", default: "10000" },
        seed: { type: "string" },
        minutes: { type: "string", default: "30" },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (thrown) {
    return fail((thrown as Error).message);
  }
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) fail(`--${name} takes a whole number, not ${text}`);
  return value;
}

/** A limit is believed to be gone when this many samples beyond it came out right. */
const enoughToTell = 20;
const progressEveryMs = 2_000;

const values = argumentsGiven();
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const wanted = wholeNumber("requests", values.requests);
const seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber("seed", values.seed);
const startedAt = performance.now();
const perSecond = (done: number): number => Math.round(done / ((performance.now() - startedAt) / 1000));
let toldAt = startedAt;

process.stdout.write(`seed ${seed}\n`);
const { requests, limits, difference } = await differential({
  requests: wanted,
  seed,
  limitMs: wholeNumber("minutes", values.minutes) * 60_000,
  onProgress(done) {
    if (performance.now() - toldAt < progressEveryMs) return;
    toldAt = performance.now();
    process.stderr.write(`${done} of ${wanted} requests, ${perSecond(done)} per second\n`);
  },
});
process.stdout.write(`${requests} requests to every stack, ${perSecond(requests)} per second\n`);
for (const { limit, applied, differed } of limits) {
  process.stdout.write(`  ${limit.stackName} ${applied} beyond a known limit, ${differed} differ: ${limit.reason}\n`);
}
const gone = limits.filter(({ applied, differed }) => applied >= enoughToTell && differed === 0);
for (const { limit } of gone) process.stdout.write(`no limit any more: ${limit.stackName}: ${limit.reason}\n`);
if (difference === undefined) process.stdout.write("no difference\n");
else process.stdout.write(`\nThey differ (again: --seed ${seed} --requests ${wanted}):\n\n${difference}\n`);
process.exitCode = difference === undefined && gone.length === 0 ? 0 : 1;
