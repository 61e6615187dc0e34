// `roundtrip predict`: predicts by queueing models from given loads and demands, without measuring.
import { Argument, type Command, type Option } from "commander";
import { newCommand } from "../options/help.ts";
import { keyValues } from "../options/key-values.ts";
import { jsonOption, listOption, numberOption, stackOption, switchOption, valueOption } from "../options/options.ts";
import { changeKeys, loadKeys, modelNames, serviceTime } from "../predict/prediction.ts";
import type { predict } from "../actions/predict.ts";

const mostServers = 100_000;

function options(): readonly Option[] {
  return [
    valueOption("subject", "--from <run>", "run directory of bench with the demands"),
    listOption("subject", "--only <tasks>", "only these tasks of --from"),
    stackOption(),
    valueOption("subject", "--what-if <changes>", "server-speed=2,farther-ms=20,shared-client=yes").argParser(
      keyValues(changeKeys),
    ),
    valueOption("subject", "--load <levels>", "rate=10..200..10, or callers=1..20,think=9").argParser(
      keyValues(loadKeys),
    ),
    valueOption("subject", "--service-ms <number>", "mean time that a server works on a task").argParser(serviceTime),
    numberOption("subject", "--servers <number>", "servers of one queue (mmc)", [1, mostServers]),
    valueOption("subject", "--file <path>", "callers and stations, as JSON (mva)"),
    switchOption("effort", "--simulate", "simulate it too, as a check"),
    valueOption("output", "--out <directory>", "keep figures and pictures there"),
    jsonOption(),
  ];
}

export function makeCommand(): Command {
  return newCommand("predict", {
    description: "predict response times by queueing models",
    arguments: [new Argument("[model]", `${modelNames.join(", ")}; none with --from`)],
    options: options(),
    examples: [
      "roundtrip predict mm1 --load rate=80 --service-ms 10",
      "roundtrip predict --from runs/shop --load callers=10,100,think=500 --what-if server-speed=2",
    ],
    topics: ["models", "config"],
    run: async (...args: Parameters<typeof predict>) => (await import("../actions/predict.ts")).predict(...args),
  });
}
