// `pnpm fuzz`: sends broken bytes to the server of a stack for a given time.
import {
  count,
  exitStatus,
  jsonOption,
  namesArgument,
  printJson,
  programNamed,
  run,
  seedFrom,
  seedOption,
} from "../programs/program.ts";
import { fuzzedStacks } from "./corpus.ts";
import { everyOption, stacksAsked } from "./style-stacks.ts";

interface Options {
  readonly seconds: number;
  readonly seed?: number;
  readonly every?: true;
  readonly json?: true;
}

const known = fuzzedStacks.map(({ name }) => name);

async function fuzzAll(given: readonly string[], options: Options): Promise<void> {
  const { seconds, seed: asked, json } = options;
  const { fuzz } = await import("./fuzz.ts");
  const seed = seedFrom(asked);
  const say = (text: string): void => void (json === true ? process.stderr : process.stdout).write(`${text}\n`);
  const stacks: object[] = [];
  for (const stack of stacksAsked(given, options)) {
    say(`${stack}: seed ${seed}`);
    const { exchanges, failure } = await fuzz({
      stackName: stack,
      seed,
      limitMs: seconds * 1_000,
      exchanges: Infinity,
    });
    if (failure === undefined) say(`${stack}: ${exchanges} exchanges, none beyond the server`);
    else say(`${stack}: after ${exchanges} exchanges ${failure.what}\n  kept in ${failure.file}`);
    if (failure !== undefined) process.exitCode = exitStatus.found;
    stacks.push({ stack, exchanges, failure: failure ?? null });
  }
  if (json === true) printJson({ seed, stacks });
}

await run(
  programNamed(
    "fuzz",
    "Records of real exchanges, broken, over real sockets. Ends with 1 when the server stops answering a polite caller, blames itself " +
      "(5xx, INTERNAL, UNKNOWN) or crashes, and leaves what did it in bench/fuzz/corpus/STYLE/failures: whatever is in a corpus is sent first.",
  )
    .addArgument(namesArgument("[stack...]", "whose server; the default of each style unless named", known))
    .addOption(everyOption())
    .option("--seconds <n>", "how long, each stack", count, 30)
    .addOption(seedOption())
    .addOption(jsonOption())
    .action(fuzzAll),
);
