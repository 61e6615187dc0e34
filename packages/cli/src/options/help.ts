// The format of help: flags with defaults, notes on settings, and examples for every command.
import { Command, type Argument, type HelpConfiguration, type Option } from "commander";

const columns = 100;

function describeOption({ description, defaultValue, defaultValueDescription }: Option): string {
  if (defaultValue === undefined || typeof defaultValue === "boolean") return description;
  return `${description} (default: ${defaultValueDescription ?? String(defaultValue)})`;
}

function argumentTerm(argument: Argument): string {
  const words = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${words}>` : `[${words}]`;
}

/** For `Command.configureHelp`. */
export const helpStyle: HelpConfiguration = {
  helpWidth: Math.min(process.stdout.isTTY ? process.stdout.columns || columns : columns, columns),
  optionDescription: describeOption,
  argumentDescription: (argument) => argument.description,
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(" "),
};

export function addExamples(command: Command, ...examples: readonly string[]): Command {
  const heading = examples.length === 1 ? "Example:" : "Examples:";
  return command.addHelpText("after", `\n${heading}\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
}

export interface CommandParts {
  readonly description: string;
  readonly arguments?: readonly Argument[];
  /** In help order. */
  readonly options: readonly Option[];
  readonly examples: readonly string[];
  readonly sections?: readonly string[];
  /** Imports the action on demand, and runs it. */
  readonly run: Parameters<Command["action"]>[0];
}

export function newCommand(name: string, parts: CommandParts): Command {
  const { description, arguments: args = [], options, examples, sections = [], run } = parts;
  const command = new Command(name).description(description).action(run);
  for (const argument of args) command.addArgument(argument);
  for (const option of options) command.addOption(option);
  addExamples(command, ...examples);
  for (const section of sections) command.addHelpText("after", section);
  return command;
}

export const environmentPrefix = "ROUNDTRIP_";

/** `--stack` → `ROUNDTRIP_STACK`. */
export function environmentName(option: Option): string {
  return `${environmentPrefix}${option.name().replaceAll("-", "_").toUpperCase()}`;
}

/** @param options of a command; its first flag with a value is the example. */
export function settingsHelp(options: readonly Option[]): string {
  const example = options.find(({ required }) => required);
  const named = example === undefined ? "" : ` (${example.long} as ${environmentName(example)})`;
  return `\nFlags can be set in the environment${named} or in roundtrip.config.ts.`;
}

export const programHelp = `
Settings:
  A flag can also be set in the environment, or kept in roundtrip.config.ts in the working directory.
  What is typed wins over the environment, and the environment over the file. These three are the same:
    --rounds 10        ROUNDTRIP_ROUNDS=10        export default { rounds: 10 };

Exit status:
  0  done                         64  wrong usage, or input that cannot be used
  1  a case failed, a change      69  a server, file or tool is not available
     breaks callers, or HEAD      70  internal error (please report it)
     is slower than BASE         130  interrupted; what was measured is kept
  2  the gate is inconclusive
  3  arms give different answers

Shell completion, in this shell:
  $ source <(roundtrip complete bash)       also: zsh, fish (roundtrip complete fish | source), powershell

Start with:
  $ roundtrip bench`;
