// What is wrong with a command line, as one line in our own words.
import type { CommanderError } from "commander";

const rewordings: readonly (readonly [RegExp, string])[] = [
  [/^unknown option '(.*)'/s, 'unknown flag "$1"'],
  [/^unknown command '(.*)'/s, 'unknown command "$1"'],
  [/^missing required argument '(.*)'/s, "<$1> is missing"],
  [/^option '(\S+) (.*)' argument missing/s, "$1 needs a value: $1 $2"],
  [/^option '(\S+) .*' argument '(.*)' is invalid\. (.*)$/s, '$1 "$2": $3'],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)$/s,
    'unknown $2 "$1" (valid: $3)',
  ],
];

/** The message of a library that speaks in several lines, in one. */
export function usageText({ message }: CommanderError): string {
  const [, fault = message, nearest] = /^(?:error: )?(.*?)\.?(?:\n\(Did you mean (.*)\?\))?$/s.exec(message) ?? [];
  const reworded = rewordings.reduce((text, [pattern, words]) => text.replace(pattern, words), fault);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest.replace(/^one of /, "")}"?`;
  return `${reworded}${hint}`.replaceAll("\n", " ");
}
