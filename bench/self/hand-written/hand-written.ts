// The `serve` function that each hand-written server exports: the interface of a stack, for one fixed contract.
import type { RunningServer, ServeOptions } from "@roundtrip/stacks";

export type ServeHandWritten = (options: ServeOptions) => Promise<RunningServer>;

export const handWrittenStacks = ["grpc-js", "rest-express", "graphql-apollo"] as const;

/** Loads the hand-written equivalent of a stack's server, and only its library. */
export async function loadHandWritten(stack: string): Promise<ServeHandWritten> {
  const module = (await import(new URL(`./${stack}.ts`, import.meta.url).href)) as { readonly serve: ServeHandWritten };
  return module.serve;
}
