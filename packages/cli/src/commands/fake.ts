// `roundtrip fake`: serves a fake of the contract over every style until Ctrl-C.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import {
  contractOption,
  jsonOption,
  listOption,
  quietOption,
  seedOption,
  stackOption,
  switchOption,
  valueOption,
  servingOptions,
} from "../options/options.ts";
import { setOption } from "../options/key-values.ts";
import { targetsOf } from "../targets/typed-target.ts";
import type { fake } from "../actions/fake.ts";

/** @param typed what a user types: `roundtrip fake`, or the program that is this command alone */
export function makeCommand(typed = "roundtrip fake"): Command {
  const isPart = typed.includes(" ");
  return newCommand(isPart ? "fake" : typed, {
    description: "serve a fake of the contract, with a page to control it",
    arguments: [new Argument("[stacks...]", "as --stack").default([], "all styles")],
    options: [
      contractOption(),
      stackOption(),
      setOption("options of stacks"),
      valueOption("subject", "--stubs <path>", "answers to some requests: YAML, JSON or a folder"),
      valueOption("subject", "--faults <plan>", "YAML or JSON, or flaky, slow, overloaded, down, hanging"),
      valueOption("subject", "--forward <style=url>", "servers that answer what no stub does").argParser(targetsOf),
      valueOption("subject", "--record <style=url>", "record the answers of a server in --out").argParser(targetsOf),
      valueOption("subject", "--replay <file>", "answer only from a recording"),
      ...servingOptions("the server"),
      switchOption("subject", "--own-ports", "a port for each style and the page, from --port on"),
      listOption("subject", "--allow-origin <origins>", "of pages: origins, *, none (default: loopback)"),
      seedOption("1"),
      switchOption("subject", "--whole-updates", "apply the rules of fields that an update mask leaves out"),
      valueOption("output", "--out <file>", "what --record writes"),
      jsonOption(),
      quietOption(),
    ],
    examples: [
      `${typed} --contract proto --stubs stubs.yaml --port 8080`,
      `${typed} --record grpc=http://127.0.0.1:50051 --out recorded.yaml`,
      `${typed} rest-express --faults flaky --allow-origin https://app.example`,
    ],
    topics: isPart ? ["contract", "settings", "stacks", "config"] : [],
    run: async (names: Parameters<typeof fake>[0], flags: Parameters<typeof fake>[1]) => {
      // The contract is compiled while the rest is loaded. The action reports why it cannot be read, behind errors of flags.
      const reading = import("../contract/contract-source.ts").then(({ contractOfFake }) => contractOfFake(flags));
      reading.catch(() => undefined);
      await (await import("../actions/fake.ts")).fake(names, flags, reading);
    },
  });
}
