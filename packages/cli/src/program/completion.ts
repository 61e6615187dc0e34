// Shell completion. Commands and flags come from the program, names of stacks, studies and formats from their folders.
import tab from "@bomb.sh/tab/commander";
import { studyGroups, studyNames } from "@roundtrip/bench";
import { formatNames } from "@roundtrip/report/registry";
import { allStacks } from "@roundtrip/stacks/names";
import type { Command } from "commander";
import { engineNames } from "../bench/engine.ts";
import { addExamples } from "../options/help.ts";
import { selectingNames } from "../stacks/selected-stacks.ts";
import { linkNames } from "../options/link-option.ts";
import { topicNames } from "../options/topics.ts";
import { modelNames } from "../predict/prediction.ts";

const stackNames = (): readonly string[] => selectingNames(allStacks());

const names: Readonly<Record<string, () => readonly string[]>> = {
  engine: () => engineNames,
  format: formatNames,
  link: () => linkNames,
  model: () => modelNames,
  stack: stackNames,
  stacks: stackNames,
  topic: () => topicNames,
  studies: () => [...studyNames(), ...studyGroups().keys()],
};

/** Adds the command `complete`. Call this after adding all other commands. */
export function addCompletion(program: Command): void {
  const completion = tab(program);
  for (const command of completion.commands.values()) {
    for (const [name, taker] of [...command.options, ...command.arguments]) {
      const known = names[name];
      if (known === undefined) continue;
      taker.handler = (complete) => {
        for (const one of known()) complete(one, "");
      };
    }
  }
  const command = program.commands.find((one) => one.name() === "complete");
  if (command === undefined) return;
  for (const argument of command.registeredArguments) argument.description = "bash, zsh, fish or powershell";
  command.description("print the completion script of a shell");
  addExamples(command, "roundtrip complete bash");
}
