// `roundtrip serve`: the real service on every stack, until Ctrl-C.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import { contractOptions, jsonOption, stackHelp, stackOption, switchOption, valueOption } from "../options/options.ts";
import { servingOptions } from "../options/serving-options.ts";
import { setOption } from "../options/key-values.ts";
import type { serve } from "../actions/serve.ts";

export function makeCommand(): Command {
  return newCommand("serve", {
    description: "serve the real service over every stack, and print the addresses",
    arguments: [new Argument("[stacks...]", "which stacks (default: each style's default)").default([], "all")],
    options: [
      ...contractOptions(),
      stackOption(),
      setOption("a setting of a stack's server or of a service; roundtrip describe lists them"),
      ...servingOptions("the first stack; the others follow"),
      valueOption("subject", "--token-env <variable>", "answer only callers with the bearer token in this variable"),
      valueOption(
        "subject",
        "--token-file <file>",
        "answer only callers with one of the bearer tokens in this file, one per line",
      ),
      switchOption("subject", "--request-id", "send an x-request-id with each answer, the caller's or a new one"),
      jsonOption(),
    ],
    examples: [
      "roundtrip serve rest-express --port 8080",
      "roundtrip serve --tls --ca-out ca.pem",
      "roundtrip serve --token-file tokens.txt --request-id",
      "roundtrip serve grpc-js --set grpc-js.maxConcurrentStreams=100 --set matrix.threads=4",
    ],
    sections: [stackHelp],
    run: async (...args: Parameters<typeof serve>) => (await import("../actions/serve.ts")).serve(...args),
  });
}
