// `pnpm fuzz:record`: records the corpus anew, after a change of what clients send.
import { namesArgument, programNamed, run } from "../programs/program.ts";
import { styleStacks } from "./style-stacks.ts";

/** Also those without a corpus yet. */
const styles = [...new Set(styleStacks.map(({ style }) => style))];

async function recordAll(given: readonly string[]): Promise<void> {
  const { recordCorpus } = await import("./corpus.ts");
  await recordCorpus(given.length > 0 ? given : styles);
}

await run(
  programNamed(
    "fuzz:record",
    "Makes the corpus of pnpm fuzz anew: what the default client of each style sends for calls of every kind. Wanted when that has changed.",
  )
    .addArgument(namesArgument("[style...]", "whose client; all unless named", styles))
    .action(recordAll),
);
