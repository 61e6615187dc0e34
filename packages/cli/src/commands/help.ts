// `roundtrip help`: a topic, or a command's own help.
import { requireKnown } from "../basics/cli-error.ts";
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import { topicNames, topicText } from "../options/topics.ts";

/** Prints to standard output. Throws a usage error for an unknown name. */
function help(name: string | undefined, program: Command | null): void {
  const topic = topicNames.find((known) => known === name);
  if (topic !== undefined) {
    process.stdout.write(topicText(topic));
    return;
  }
  const commands = program?.commands ?? [];
  if (name !== undefined) requireKnown("topic", name, [...topicNames, ...commands.map((command) => command.name())]);
  (commands.find((one) => one.name() === name) ?? program)?.outputHelp();
}

export function makeCommand(): Command {
  const command = newCommand("help", {
    description: "explain a topic or a command",
    arguments: [new Argument("[topic]", "a topic, or a command")],
    options: [],
    examples: ["roundtrip help stacks"],
    run: (name: string | undefined) => help(name, command.parent),
  });
  return command;
}
