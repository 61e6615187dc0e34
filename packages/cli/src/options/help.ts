// The format of help: flags with defaults, notes on settings, and examples for every command.
import type { TopicName } from "./topics.ts";
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
  /** Of `roundtrip help`. */
  readonly topics?: readonly TopicName[];
  /** Imports the action on demand, and runs it. */
  readonly run: Parameters<Command["action"]>[0];
}

export function newCommand(name: string, parts: CommandParts): Command {
  const { description, arguments: args = [], options, examples, topics = [], run } = parts;
  const command = new Command(name).description(description).action(run);
  for (const argument of args) command.addArgument(argument);
  for (const option of options) command.addOption(option);
  addExamples(command, ...examples);
  if (topics.length > 0) command.addHelpText("after", `\nMore: roundtrip help ${topics.join(", ")}`);
  return command;
}

export const environmentPrefix = "ROUNDTRIP_";

/** `--stack` → `ROUNDTRIP_STACK`. */
export function environmentName(option: Option): string {
  return `${environmentPrefix}${option.name().replaceAll("-", "_").toUpperCase()}`;
}

export const programHelp = `
Exit status:
  0  done                              64  wrong usage or input
  1  failed, breaking or slower        69  a server, file or tool is missing
  2  inconclusive (--strict)           70  internal error (please report it)
  3  different answers                130  interrupted (or 143); what was measured is kept

Shell completion: source <(roundtrip complete bash), or zsh, fish, powershell`;
