// Serves a hand-written server: `node serve.ts STACK PORT` has the interface of that stack, for one fixed contract, and prints its address. With
// `interpreted` as a third argument it serves the same by this project's server, in an equal process.
import { builtInContract } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { loadServe, serveDefaults, type RunningServer, type ServeOptions } from "@roundtrip/stacks";

/** What the file of each hand-written server exports as `serve`. */
export type ServeHandWritten = (options: ServeOptions) => Promise<RunningServer>;

export const handWrittenStacks = ["grpc-js", "rest-express", "graphql-apollo"] as const;

/** Loads the hand-written equivalent of a stack's server, and only its library. */
export async function loadHandWritten(stack: string): Promise<ServeHandWritten> {
  const module = (await import(new URL(`./${stack}.ts`, import.meta.url).href)) as { readonly serve: ServeHandWritten };
  return module.serve;
}

if (import.meta.main) {
  const [, , stack = "", port = "0", kind] = process.argv;
  const options = { ...serveDefaults, port: Number(port) };
  const { url } =
    kind === "interpreted"
      ? await (
          await loadServe(stack)
        )(realService(builtInContract()), options)
      : await (
          await loadHandWritten(stack)
        )(options);
  process.stdout.write(`${url}\n`);
}
