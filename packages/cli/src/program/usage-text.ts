// Converts a usage error to one line with this project's wording.
import type { CommanderError } from "commander";

/** `--rounds must be a whole number from 1 to 1000, got "0"`. An error that states no rule follows the value. @param value in quotation marks. */
export function valueError(name: string, value: string, error: string): string {
  const [, rule, more] = /^(must [^;]*)(.*)$/s.exec(error.replace(/^Allowed choices are /, "must be one of ")) ?? [];
  return rule === undefined ? `${name} ${value}: ${error}` : `${name} ${rule}, got ${value}${more}`;
}

const invalidOption = /^option '(\S+) .*?' argument '(.*)' is invalid\. (.*)$/s;

const rewordings: readonly (readonly [RegExp, string])[] = [
  [/^unknown option '(.*)'/s, 'unknown flag "$1"'],
  [/^unknown command '(.*)'/s, 'unknown command "$1"'],
  [/^missing required argument '(.*)'/s, "<$1> is missing"],
  [/^option '(\S+) (.*)' argument missing/s, "$1 needs a value: $1 $2"],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)$/s,
    'unknown $2 "$1" (valid: $3)',
  ],
];

export function usageText({ message }: CommanderError): string {
  const [, fault = message, nearest] = /^(?:error: )?(.*?)\.?(?:\n\(Did you mean (.*)\?\))?$/s.exec(message) ?? [];
  const [, flag, value = "", error = ""] = invalidOption.exec(fault) ?? [];
  const reworded =
    flag === undefined
      ? rewordings.reduce((text, [pattern, words]) => text.replace(pattern, words), fault)
      : valueError(flag, `"${value}"`, error);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest.replace(/^one of /, "")}"?`;
  return `${reworded}${hint}`.replaceAll("\n", " ");
}
