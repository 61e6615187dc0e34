// Values of flags that are not typed: from the environment first, then from `roundtrip.config.ts`.
import { InvalidArgumentError, type Command, type Option } from "commander";
import { CliError } from "../basics/cli-error.ts";
import { environmentName, environmentPrefix as prefix } from "../options/help.ts";
import { valueError } from "./usage-text.ts";
import { suggestion } from "@roundtrip/contract/text";
import { loadConfigFile } from "../basics/config-file.ts";

const yes = ["1", "true", "yes", "on"];
const no = ["0", "false", "no", "off"];

function switchValue(value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (yes.includes(text)) return true;
  if (no.includes(text)) return false;
  throw new InvalidArgumentError("must be true or false");
}

/** Parses a value as the flag's own parser does; a list is a repeated flag. */
function valueOf(option: Option, value: unknown): unknown {
  if (option.isBoolean()) return switchValue(value);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.reduce<unknown>((before, one) => {
    if (typeof one !== "string" && typeof one !== "number") {
      throw new InvalidArgumentError(`must be written as on the command line (${option.flags})`);
    }
    return option.parseArg === undefined ? String(one) : option.parseArg(String(one), before);
  }, undefined);
}

interface Setting {
  readonly value: unknown;
  /** With its file. */
  readonly name: string;
  readonly source: "env" | "config";
}

function set(command: Command, option: Option, { value, name, source }: Setting): void {
  try {
    command.setOptionValueWithSource(option.attributeName(), valueOf(option, value), source);
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError)) throw cause;
    throw new CliError("usage", valueError(name, JSON.stringify(value), cause.message), { cause });
  }
}

/** Flags that exclude each other: a setting does not apply if a flag of another group is typed. */
const rivals: readonly (readonly (readonly string[])[])[] = [
  [["stack"], ["target"]],
  [["tasks"], ["operations"], ["study"]],
  [["contract"], ["study"]],
  [["build", "serve"], ["target"]],
];

/** The flags that are typed. Stacks that are given as arguments count as `--stack`. */
function typedFlags(command: Command): ReadonlySet<string> {
  const keys = command.options.map((option) => option.attributeName());
  const typed = keys.filter((key) => command.getOptionValueSource(key) === "cli");
  const namesStacks = command.registeredArguments.some((argument) => argument.name() === "stacks");
  return new Set(namesStacks && command.args.length > 0 ? [...typed, "stack"] : typed);
}

function isExcluded(key: string, typed: ReadonlySet<string>): boolean {
  return rivals.some(
    (groups) =>
      groups.some((group) => group.includes(key)) &&
      groups.some((group) => !group.includes(key) && group.some((name) => typed.has(name))),
  );
}

/**
 * Fills in flags that are not typed. Ignores keys and variables of other commands. Rejects with a CliError for a value that the flag refuses, and for
 * a key of no command.
 * @param allOptions returns the options of all commands; called if there are settings. Undefined for a program that does not know other commands:
 * it ignores their keys and those of none alike
 * @param readsConfig false for the environment alone
 */
export async function applySettings(
  command: Command,
  allOptions: (() => Promise<readonly Option[]>) | undefined,
  readsConfig: boolean,
): Promise<void> {
  const variables = Object.keys(process.env).filter((name) => name.startsWith(prefix));
  const file = readsConfig ? await loadConfigFile() : undefined;
  if (variables.length === 0 && file === undefined) return;
  const options = await allOptions?.();
  const keys = [...new Set(options?.map((option) => option.attributeName()))];
  for (const key of Object.keys(file?.config ?? {})) {
    if (options === undefined || keys.includes(key)) continue;
    throw new CliError("usage", `${file?.path}: unknown setting "${key}"${suggestion(key, keys)}`);
  }
  const typed = typedFlags(command);
  for (const option of command.options) {
    const key = option.attributeName();
    if (isExcluded(key, typed)) continue;
    if (!["default", undefined].includes(command.getOptionValueSource(key))) continue;
    const name = environmentName(option);
    const fromEnvironment = process.env[name] ?? "";
    const fromFile = file?.config[key];
    if (fromEnvironment !== "") set(command, option, { value: fromEnvironment, name, source: "env" });
    else if (file !== undefined && fromFile !== undefined)
      set(command, option, { value: fromFile, name: `${file.path}: ${key}`, source: "config" });
  }
}
