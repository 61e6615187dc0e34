// `roundtrip compare`: reports whether one version is slower than another, with a stated error rate.
import { studyNames } from "@roundtrip/bench";
import { comparisonFormatNames } from "@roundtrip/report/registry";
import { disposableOption, ownStudyOptions } from "../bench/study-options.ts";
import { caOption, targetsOf, tokenOption } from "../targets/typed-target.ts";
import { Argument, InvalidArgumentError, type Command, type Option } from "commander";
import { newCommand } from "../options/help.ts";
import {
  contractOptions,
  durationOption,
  jsonOption,
  listOf,
  listOption,
  numberOption,
  quietOption,
  repeatedOption,
  seedOption,
  switchOption,
  valueOption,
  stackHelp,
  stackOption,
} from "../options/options.ts";
import type { compare } from "../actions/compare.ts";

/** Parses `2%` or `0.02` as 0.02. Throws an InvalidArgumentError outside 0 to 1; the caller decides whether 0 is allowed. */
function share(value: string): number {
  const text = value.trim();
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text) ?? [];
  const number = digits === undefined ? Number.NaN : Number(digits) / (percent === "%" ? 100 : 1);
  if (!(number >= 0 && number <= 1)) throw new InvalidArgumentError("must be a share such as 2% or 0.02");
  return number;
}

const metrics = ["latencyMs", "serverCpuMsPerTask"] as const;

function metricList(value: string, before: readonly string[] | undefined): readonly string[] {
  // Before the first value, `before` is the default.
  const names = listOf(value, before === metrics ? undefined : before);
  const unknown = names.find((name) => !metrics.some((metric) => metric === name));
  if (unknown !== undefined) throw new InvalidArgumentError(`must be of ${metrics.join(", ")}`);
  return names;
}

const versionHelp = `
Versions:
  BASE and HEAD are two run directories, or two git revisions. Revisions are checked out and built
  in folders of their own, and measured as arms of the same rounds: fresh processes, random order,
  the same load. The work tree is not touched. Only servers differ: one client of this program's
  calls both, and both servers of this project run on this program's Node.js. Without BASE and HEAD,
  --base-dir and --head-dir name folders, which are copied, and --base-cmd and --head-cmd programs
  in any language. A program listens on {port}, which stands for a free port that the variable PORT
  has too, or prints its address as text or in JSON. Several run at once, so none may have a fixed
  port. {stack} is the stack's name. No shell reads the command. --base-target and --head-target
  name servers that run already: their CPU time is unknown, so that only latency is judged, and no
  operation that may write is called without --disposable.

Your contract:
  With --contract, the operations of your contract are compared on your servers, or the tasks of
  --tasks. A contract inside the repository or folder is read in each version, and the tasks always
  in the working directory. The client is that of base's contract; what one version alone has is
  listed, and all answers must be equal before anything is timed. Operations that may write are
  called if --operations or --tasks names them, or with --disposable. Without a command that serves,
  or with --fakes, fakes of both contracts are compared: what did the new field cost?
  roundtrip.config.ts can keep these flags.

Verdict:
  FAIL: something is slower by more than --tolerate. PASS: nothing is slower by --detect or more.
  INCONCLUSIVE otherwise: rounds go on until the budget is spent. Judged are the latency of the
  median call and server CPU. A mean or p99 that moved by more than its own interval is named
  first, whatever the verdict. A FAIL is measured again before it counts, in fresh processes and,
  where versions have folders, in fresh ones; that may take up to twice the budget more.
  Exit status: 0 pass or inconclusive, 1 fail, 2 inconclusive with --strict, 3 the versions do not
  answer alike. Run directories come from different jobs: they are compared, and not judged.`;

function subjectOptions(): readonly Option[] {
  return [
    valueOption("subject", "--base-dir <folder>", "base's sources, in place of a revision"),
    valueOption("subject", "--head-dir <folder>", "head's sources"),
    valueOption("subject", "--base-cmd <command>", "a program that serves base"),
    valueOption("subject", "--head-cmd <command>", "a program that serves head"),
    valueOption("subject", "--base-target <style=url>", "base, where it runs already").argParser(targetsOf),
    valueOption("subject", "--head-target <style=url>", "head, where it runs already").argParser(targetsOf),
    valueOption(
      "subject",
      "--build <command>",
      "run once in each folder (default: install what the lock file names, for this project)",
    ),
    repeatedOption(
      "subject",
      "--serve <command>",
      "command that starts a folder's server, or STYLE=COMMAND for each (default: as in this project; with --contract, its fake)",
    ),
    switchOption("subject", "--fakes", "compare fakes of the two contracts instead of servers"),
    ...contractOptions(),
    ...ownStudyOptions("compare"),
    caOption("the servers"),
    tokenOption("the servers"),
    disposableOption("compare", "the servers' data"),
    listOption("subject", "--study <names>", `which studies: ${studyNames().join(", ")} (default: gate)`),
    listOption(
      "subject",
      "--answers-may-differ <tasks>",
      "tasks or operations whose answers are not compared (default: all answers must be equal)",
    ),
    stackOption(),
    valueOption("subject", "--metric <names>", `of ${metrics.join(", ")}`)
      .argParser(metricList)
      .default(metrics, "both"),
  ];
}

/** Error rates and maximum duration. */
function effortOptions(): readonly Option[] {
  return [
    valueOption("effort", "--tolerate <share>", "ignore slowdowns up to this share")
      .argParser(share)
      .default(0.02, "2%"),
    valueOption("effort", "--detect <share>", "find slowdowns of this share or more")
      .argParser(share)
      .default(0.05, "5%"),
    valueOption("effort", "--alpha <share>", "maximum false-failure rate").argParser(share).default(0.01, "1%"),
    durationOption(
      "--budget <duration>",
      "time for measuring, without repeated measurements of slowdowns (default: 150s, or the study's own)",
    ),
    numberOption("effort", "--rounds <number>", "rounds (default: as many as the budget holds)", [1, 1000]),
    durationOption(
      "--warm-up <duration>",
      "unmeasured calls to all servers before each round (default: 80ms per stack)",
    ),
    seedOption("another each time"),
    switchOption("effort", "--strict", "exit with status 2 if inconclusive"),
  ];
}

function outputOptions(): readonly Option[] {
  return [
    valueOption("output", "--out <directory>", "the run directory (default: runs/ and the time)"),
    valueOption("output", "--format <name>", `one of ${comparisonFormatNames().join(", ")} (default: terminal)`),
    jsonOption(),
    quietOption(),
  ];
}

export function makeCommand(): Command {
  return newCommand("compare", {
    description: "report whether one version is slower than another: git revisions, folders, servers, or two runs",
    arguments: [
      new Argument("[base]", "git revision or run directory before the change"),
      new Argument("[head]", "git revision or run directory after the change"),
    ],
    options: [...subjectOptions(), ...effortOptions(), ...outputOptions()],
    examples: [
      "roundtrip compare main HEAD",
      "roundtrip compare v1.2.0 HEAD --stack rest-express --strict",
      "roundtrip compare --base-dir ../main --head-dir .",
      "roundtrip compare main HEAD --contract proto --stack grpc --build make --serve bin/server",
      'roundtrip compare --stack rest-express --base-cmd "node old.js" --head-cmd "node new.js"',
      "roundtrip compare --contract proto --base-target grpc=http://127.0.0.1:5001 --head-target grpc=http://127.0.0.1:5002",
      "roundtrip compare runs/monday runs/tuesday",
    ],
    sections: [stackHelp, versionHelp],
    run: async (...given: Parameters<typeof compare>) => (await import("../actions/compare.ts")).compare(...given),
  });
}
