// What each hand-written server exports as `serve`: the same promise as a stack's, for one contract that it knows by heart.
import type { RunningServer, ServeOptions } from "@roundtrip/stacks";

export type ServeHandWritten = (options: ServeOptions) => Promise<RunningServer>;

/** The stacks that have a hand-written equivalent in this folder. */
export const handWrittenStacks = ["grpc-js", "rest-express", "graphql-apollo"] as const;

/** Loads the hand-written equivalent of a stack's server, and no other library than its own. */
export async function loadHandWritten(stack: string): Promise<ServeHandWritten> {
  const module = (await import(new URL(`./${stack}.ts`, import.meta.url).href)) as { readonly serve: ServeHandWritten };
  return module.serve;
}
