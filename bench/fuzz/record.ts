// `pnpm fuzz:record`: makes the corpus anew, after a change of what clients send.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { namesArgument, programNamed, run } from "../programs/program.ts";

const corpus = join(import.meta.dirname, "corpus");
const known = readdirSync(corpus);

async function recordAll(given: readonly string[]): Promise<void> {
  const { recordCorpus } = await import("./record-corpus.ts");
  await recordCorpus(corpus, given.length > 0 ? given : known);
}

await run(
  programNamed(
    "fuzz:record",
    "Makes the corpus of pnpm fuzz anew: what each stack's own client sends for calls of every kind. Wanted when that has changed.",
  )
    .addArgument(namesArgument("[stack...]", "whose client; all unless named", known))
    .action(recordAll),
);
