// `roundtrip serve`: the real service on every stack, until Ctrl-C.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import { contractOption, jsonOption, stackOption, valueOption, servingOptions } from "../options/options.ts";
import { setOption } from "../options/key-values.ts";
import type { serve } from "../actions/serve.ts";

export function makeCommand(): Command {
  return newCommand("serve", {
    description: "serve the real service over every stack",
    arguments: [new Argument("[stacks...]", "as --stack").default([], "all")],
    options: [
      contractOption(),
      stackOption(),
      setOption("options of stacks and services"),
      ...servingOptions("the first server"),
      valueOption("subject", "--token-env <variable>", "require the bearer token in this variable"),
      jsonOption(),
    ],
    examples: ["roundtrip serve rest-express --port 8080 --set matrix.threads=4"],
    topics: ["contract", "settings", "stacks", "config"],
    run: async (...args: Parameters<typeof serve>) => (await import("../actions/serve.ts")).serve(...args),
  });
}
