// Serves a hand-written server: `node serve.ts STACK PORT` has the interface of that stack, for one fixed contract, and prints its address.
import { serveDefaults, type RunningServer, type ServeOptions } from "@roundtrip/stacks";

/** What the file of each hand-written server exports as `serve`. */
export type ServeHandWritten = (options: ServeOptions) => Promise<RunningServer>;

export const handWrittenStacks = ["grpc-js", "rest-express", "graphql-apollo"] as const;

/** Loads the hand-written equivalent of a stack's server, and only its library. */
export async function loadHandWritten(stack: string): Promise<ServeHandWritten> {
  const module = (await import(new URL(`./${stack}.ts`, import.meta.url).href)) as { readonly serve: ServeHandWritten };
  return module.serve;
}

if (import.meta.main) {
  const [, , stack = "", port = "0"] = process.argv;
  const serve = await loadHandWritten(stack);
  const { url } = await serve({ ...serveDefaults, port: Number(port) });
  process.stdout.write(`${url}\n`);
}
