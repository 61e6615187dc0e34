// `roundtrip fake`: serves a fake of the contract over every style until Ctrl-C.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import {
  contractOptions,
  jsonOption,
  listOption,
  quietOption,
  seedOption,
  stackHelp,
  stackOption,
  valueOption,
} from "../options/options.ts";
import { servingOptions } from "../options/serving-options.ts";
import { setOption } from "../options/key-values.ts";
import { caOption, targetsOf } from "../targets/typed-target.ts";
import type { fake } from "../actions/fake.ts";

export function makeCommand(): Command {
  return newCommand("fake", {
    description: "serve a fake of the contract over every style, with a page to watch and control it",
    arguments: [new Argument("[stacks...]", "which stacks (default: each style's default)").default([], "all styles")],
    options: [
      ...contractOptions(),
      stackOption(),
      setOption("a setting of a stack's server, such as the REST dialect; roundtrip describe lists them"),
      valueOption("subject", "--stubs <path>", "answers to some requests: a YAML or JSON file, or a folder of them"),
      valueOption(
        "subject",
        "--faults <plan>",
        "failures and delays: a YAML or JSON file, or flaky, slow, overloaded, down, hanging",
      ),
      valueOption(
        "subject",
        "--record <style=url>",
        "forward calls to a running server, and record its answers in --out",
      ).argParser(targetsOf),
      caOption("the server that --record calls"),
      valueOption("subject", "--replay <file>", "answer from a recording only"),
      ...servingOptions("the first server; the others and the page follow"),
      listOption(
        "subject",
        "--allow-origin <origins>",
        "origins whose pages may call: https://app.example, loopback, * or none (default: loopback)",
      ),
      seedOption("1"),
      valueOption("output", "--out <file>", "new stub file that --record writes"),
      jsonOption(),
      quietOption(),
    ],
    examples: [
      "roundtrip fake",
      "roundtrip fake --contract proto --stubs stubs.yaml --port 8080",
      "roundtrip fake --record grpc=http://127.0.0.1:50051 --out recorded.yaml",
      "roundtrip fake --set rest-express.dialect=grpc-gateway",
      "roundtrip fake rest-express --faults flaky --allow-origin https://app.example",
    ],
    sections: [stackHelp],
    run: async (...args: Parameters<typeof fake>) => (await import("../actions/fake.ts")).fake(...args),
  });
}
