// `pnpm fuzz:record`: records the corpus anew, after a change of what clients send.
import { namesArgument, programNamed, run } from "../programs/program.ts";
import { fuzzedStyles } from "./corpus-of.ts";

async function recordAll(given: readonly string[]): Promise<void> {
  const { recordCorpus } = await import("./record-corpus.ts");
  await recordCorpus(given.length > 0 ? given : fuzzedStyles);
}

await run(
  programNamed(
    "fuzz:record",
    "Makes the corpus of pnpm fuzz anew: what the default client of each style sends for calls of every kind. Wanted when that has changed.",
  )
    .addArgument(namesArgument("[style...]", "whose client; all unless named", fuzzedStyles))
    .action(recordAll),
);
