// `roundtrip export`: a directory with which another load generator does what studies do.
import { studyGroups, studyNames } from "@roundtrip/bench";
import { Argument, Command } from "commander";
import { arrivalsHelp, arrivalsOption } from "../bench/typed-arrivals.ts";
import { clusterOptions } from "../export/cluster-options.ts";
import { addExamples } from "../options/help.ts";
import {
  addOptions,
  contractOption,
  duration,
  httpRulesOption,
  protoPathOption,
  quietOption,
  seedOption,
  switchOption,
  valueOption,
  wholeNumber,
  stackHelp,
  stackOptions,
} from "../options/options.ts";
import { setOption } from "../stack-settings/typed-settings.ts";
import { targetOption } from "../targets/target-options.ts";
import type { exportStudies } from "../actions/export.ts";

const engineHelp = `
Engines:
  k6  a script for k6 1.x and 2.x, with the requests that Roundtrip's own clients send and the schedule
      that they follow. The directory's README.md says how to run it, on one machine or several, and
      how to bring the results home: docs/k6.md. What k6 cannot do is left out, with a note.
      With --kubernetes its folder kubernetes has manifests, and a README.md too: docs/kubernetes.md.`;

/** Makes the command. */
export function makeCommand(): Command {
  const groups = [...studyGroups().keys()].map((group) => `; ${group} stands for all that begin with ${group}-`);
  const command = new Command("export")
    .description("write files for another load generator that does the same as bench")
    .addArgument(new Argument("<engine>", "load generator: k6"))
    .addArgument(new Argument("<studies...>", `which studies: ${studyNames().join(", ")}${groups.join("")}`))
    .addOption(contractOption())
    .addOption(protoPathOption())
    .addOption(httpRulesOption());
  addOptions(command, stackOptions());
  command
    .addOption(setOption("a setting of a stack's server or of a service; several values, with commas, are compared"))
    .addOption(targetOption())
    .addOption(
      switchOption(
        "subject",
        "--disposable",
        "the targets' data may be overwritten: export tasks that write there too (default: left out)",
      ),
    )
    .addOption(
      valueOption(
        "effort",
        "--rounds <number>",
        "rounds to choose from in k6, each with its own order and arrivals (default: the study's)",
      ).argParser(wholeNumber(1, 1000)),
    )
    .addOption(
      valueOption("effort", "--calls <number>", "executions of each arm (default: the study's, of a round)").argParser(
        wholeNumber(1, 1_000_000),
      ),
    )
    .addOption(arrivalsOption())
    .addOption(
      valueOption(
        "effort",
        "--call-time <duration>",
        "expected mean time per call, from which the start times of cells follow (default: 5ms)",
      ).argParser(duration),
    )
    .addOption(seedOption("another each time"))
    .addOption(valueOption("output", "--out <directory>", "output directory, which must be empty or new"))
    .addOption(quietOption())
    .action(async (...given: Parameters<typeof exportStudies>) =>
      (await import("../actions/export.ts")).exportStudies(...given),
    );
  for (const option of clusterOptions()) command.addOption(option);
  return addExamples(
    command,
    "roundtrip export k6 hello facade --out k6-facade",
    "roundtrip export k6 load --stack grpc-js,rest-express --seed 1 --out k6-load",
    "roundtrip export k6 hello --arrivals poisson:500 --calls 2000 --out k6-hello",
    "roundtrip export k6 load --kubernetes --image registry.example.com/roundtrip:0.1.0 --instances 2 --out k6-load",
    "roundtrip export k6 hello --target rest=https://api.example.com --call-time 50ms --out k6-far",
  )
    .addHelpText("after", stackHelp)
    .addHelpText("after", engineHelp)
    .addHelpText("after", arrivalsHelp);
}
