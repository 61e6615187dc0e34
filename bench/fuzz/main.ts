// `pnpm fuzz`: broken bytes to a stack's server for as long as asked for.
import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";

const usage = `Usage: pnpm fuzz STACK… [--seconds 30] [--seed N]

Records of real exchanges, broken, over real sockets. Ends with 1 when the server stops answering a polite caller, blames itself (5xx,
INTERNAL, UNKNOWN) or crashes, and leaves what did it in bench/fuzz/corpus/STACK/failures: whatever is in a corpus is sent first.
`;

const known = readdirSync(join(import.meta.dirname, "corpus"));

function fail(message: string): never {
  process.stderr.write(`${message}\n\n${usage}\nStacks: ${known.join(", ")}\n`);
  process.exit(64);
}

function argumentsGiven() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        seconds: { type: "string", default: "30" },
        seed: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (thrown) {
    return fail((thrown as Error).message);
  }
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) fail(`--${name} takes a whole number, not ${text}`);
  return value;
}

const { values, positionals } = argumentsGiven();
if (values.help) {
  process.stdout.write(`${usage}\nStacks: ${known.join(", ")}\n`);
  process.exit(0);
}
for (const name of positionals) if (!known.includes(name)) fail(`there is no corpus for "${name}"`);
const seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber("seed", values.seed);
const limitMs = wholeNumber("seconds", values.seconds) * 1_000;

for (const stackName of positionals.length > 0 ? positionals : known) {
  process.stdout.write(`${stackName}: seed ${seed}\n`);
  const { exchanges, failure } = await fuzz({ stackName, seed, limitMs, exchanges: Infinity });
  if (failure === undefined) process.stdout.write(`${stackName}: ${exchanges} exchanges, none beyond the server\n`);
  else process.stdout.write(`${stackName}: after ${exchanges} exchanges ${failure.what}\n  kept in ${failure.file}\n`);
  if (failure !== undefined) process.exitCode = 1;
}
