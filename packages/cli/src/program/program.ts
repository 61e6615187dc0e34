// The `roundtrip` program: its commands and their common behaviour.
import { Command, type Option } from "commander";
import { programHelp } from "../options/help.ts";
import { prepare, version } from "./prepare.ts";
import { readdirSync } from "node:fs";
import { extname, join, parse } from "node:path";

// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);
const folder = join(import.meta.dirname, "..", "commands");

/** The export of a file in `commands/`. It loads only what its flags need. */
type MakeCommand = () => Command;

/** The names of all commands, in alphabetical order. */
export function commandNames(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => extname(file) === extension)
    .map((file) => parse(file).name)
    .toSorted();
}

async function makeCommands(names: readonly string[]): Promise<readonly Command[]> {
  const modules = await Promise.all(
    names.map(
      async (name) =>
        (await import(new URL(`../commands/${name}${extension}`, import.meta.url).href)) as {
          makeCommand: MakeCommand;
        },
    ),
  );
  return modules.map(({ makeCommand }) => makeCommand());
}

/** The commands that a command line needs: one; none for the version; all for help, completion and errors. */
function neededCommands([first = ""]: readonly string[]): readonly string[] {
  if (first === "-V" || first === "--version") return [];
  const all = commandNames();
  return first !== "help" && all.includes(first) ? [first] : all;
}

async function allOptions(): Promise<readonly Option[]> {
  return (await makeCommands(commandNames())).flatMap((command) => command.options);
}

/** Makes the program with the commands for these arguments, or all. Parsing rejects with a CliError, or a CommanderError after help or version. */
export async function makeProgram(args: readonly string[] = []): Promise<Command> {
  const root = prepare(new Command("roundtrip"))
    .description("What does my contract cost over gRPC, REST and GraphQL, on my network, and how should I call it?")
    .version(version, "-V, --version", "show the version")
    .option("--no-config", "ignore roundtrip.config.ts, which is code")
    .helpCommand(false);
  const needed = neededCommands(args);
  for (const command of await makeCommands(needed)) {
    root.addCommand(prepare(command));
    if (command.options.length === 0) continue;
    command.hook("preAction", async (_root, action) => {
      const { applySettings } = await import("./apply-settings.ts");
      await applySettings(action, allOptions, root.opts<{ readonly config: boolean }>().config);
    });
  }
  if (needed.length > 1) {
    const { topicList } = await import("../options/topics.ts");
    root.addHelpText("after", topicList()).addHelpText("after", programHelp);
    const { addCompletion } = await import("./completion.ts");
    addCompletion(root);
  }
  return root;
}
