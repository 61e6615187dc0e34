// The `roundtrip` program: its commands with everything that is the same on each.
import { Command, type CommanderError } from "commander";
import { CliError } from "../cli-error.ts";
import { allCommands } from "../commands.ts";
import { addCompletion } from "./completion.ts";
import { helpStyle, programHelp, settingsHelp } from "../help.ts";
import { toolVersion } from "../tool-version.ts";
import { applySettings } from "./apply-settings.ts";
import { usageText } from "./usage-text.ts";

/** Help and version are no faults; everything else that the parser throws is wrong usage. */
function rethrow(command: Command): (error: CommanderError) => never {
  return (error) => {
    if (error.exitCode === 0 || error.code === "commander.help") throw error;
    const name = command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`;
    throw new CliError("usage", `${usageText(error)} (see ${name} --help)`, { cause: error });
  };
}

function prepare(command: Command): Command {
  return command
    .configureHelp(helpStyle)
    .configureOutput({ outputError: () => undefined })
    .helpOption("-h, --help", "show this help")
    .exitOverride(rethrow(command));
}

/** Makes the program. Parsing rejects with a CliError for wrong usage, and with a CommanderError after help or version was shown. */
export async function makeProgram(): Promise<Command> {
  const root = prepare(new Command("roundtrip"))
    .description("What does my contract cost over gRPC, REST and GraphQL, on my network, and how should I call it?")
    .version(toolVersion, "-V, --version", "show the version")
    .helpCommand("help [command]", "show the help of a command")
    .addHelpText("after", programHelp);
  const commands = await allCommands();
  const options = commands.flatMap((command) => command.options);
  for (const command of commands) {
    root.addCommand(prepare(command).addHelpText("after", settingsHelp));
    command.hook("preAction", (_root, action) => applySettings(action, options));
  }
  addCompletion(root);
  return root;
}
