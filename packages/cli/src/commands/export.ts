// `roundtrip export`: writes files for another load generator that runs the same studies.
import { Argument, type Command } from "commander";
import { callsOption, disposableOption, ownStudyOptions, roundsOption, studyList } from "../bench/study-options.ts";
import { arrivalsHelp, arrivalsOption } from "../bench/arrivals.ts";
import { clusterOptions } from "../export/cluster-options.ts";
import { newCommand } from "../options/help.ts";
import {
  contractOptions,
  durationOption,
  quietOption,
  seedOption,
  stackHelp,
  stackOption,
  valueOption,
} from "../options/options.ts";
import { setOption } from "../options/key-values.ts";
import { targetOptions } from "../targets/typed-target.ts";
import type { exportStudies } from "../actions/export.ts";

const ownHelp = `
Your contract:
  With --contract and no study, the contract itself is exported: a request for each unary operation, or
  the steps of --tasks FILE. They are called once here, on the contract's fake or on your --target, and
  the export has the calls that were answered. k6 makes the same calls on every server.`;

const engineHelp = `
Engines:
  k6  a script for k6 1.x and 2.x, with the requests that Roundtrip's own clients send and the schedule
      that they follow. The directory's README.md says how to run it, on one machine or several, and
      how to bring the results home: docs/k6.md. What k6 cannot do is left out, with a note.
      With --kubernetes its folder kubernetes has manifests, and a README.md too: docs/k6.md.`;

export function makeCommand(): Command {
  return newCommand("export", {
    description: "write files for another load generator that does the same as bench",
    arguments: [
      new Argument("<engine>", "load generator: k6"),
      new Argument("[studies...]", `which studies: ${studyList()} (with --contract alone, the contract itself)`),
    ],
    options: [
      ...contractOptions(),
      ...ownStudyOptions("export"),
      stackOption(),
      setOption("a setting of a stack's server or of a service; several values, with commas, are compared"),
      ...targetOptions(),
      disposableOption("export"),
      roundsOption("rounds to choose from in k6, each with its own order and arrivals (default: the study's)"),
      callsOption("times each variant runs on each stack, per round (default: the study's)"),
      arrivalsOption(),
      durationOption(
        "--call-time <duration>",
        "expected mean time per call, from which the start times of cells follow (default: 5ms)",
      ),
      seedOption("another each time"),
      valueOption("output", "--out <directory>", "(required) output directory, new or empty"),
      quietOption(),
      ...clusterOptions(),
    ],
    examples: [
      "roundtrip export k6 hello facade --out k6-facade",
      "roundtrip export k6 load --stack grpc-js,rest-express --seed 1 --out k6-load",
      "roundtrip export k6 hello --arrivals poisson:500 --calls 2000 --out k6-hello",
      "roundtrip export k6 load --kubernetes --image registry.example.com/roundtrip:0.1.0 --instances 2 --out k6-load",
      "roundtrip export k6 hello --target rest=https://api.example.com --call-time 50ms --out k6-far",
      "roundtrip export k6 --contract proto --operations GetBook,ListBooks --out k6-books",
      "roundtrip export k6 --contract proto --tasks tasks.yaml --target grpc=https://api.example.com --out k6-tasks",
    ],
    sections: [ownHelp, stackHelp, engineHelp, arrivalsHelp],
    run: async (...given: Parameters<typeof exportStudies>) =>
      (await import("../actions/export.ts")).exportStudies(...given),
  });
}
