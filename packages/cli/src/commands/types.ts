// `roundtrip types`: TypeScript types of a contract, for typed clients and handlers of fakes.
import type { Command } from "commander";
import { newCommand } from "../options/help.ts";
import { contractOption, jsonOption, switchOption, valueOption } from "../options/options.ts";
import type { types } from "../actions/types.ts";

export function makeCommand(): Command {
  return newCommand("types", {
    description: "write TypeScript types of the contract",
    options: [
      contractOption(),
      valueOption("output", "--out <directory>", "where types go; others there are removed"),
      valueOption("output", "--language <name>", "ts, or js with declarations").choices(["ts", "js"]).default("ts"),
      valueOption("output", "--imports <ending>", "js, none (bundlers) or ts (Node.js)")
        .choices(["js", "none", "ts"])
        .default("js"),
      switchOption("output", "--check", "only fail if the folder is not up to date"),
      jsonOption(),
    ],
    examples: ["roundtrip types --contract ./proto --out src/gen"],
    topics: ["contract", "config"],
    run: async (...args: Parameters<typeof types>) => (await import("../actions/types.ts")).types(...args),
  });
}
