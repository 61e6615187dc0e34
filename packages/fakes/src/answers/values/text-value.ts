// Makes texts that obey the rules of their field, and fit its name if the rules allow that.
import type { StringRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Draw } from "../draw.ts";
import type { Purpose } from "./purpose.ts";
import { textByName, type MakeText } from "./text-by-name.ts";
import { textFormat } from "./text-format.ts";
import { textPattern, type TextPattern } from "./text-from-pattern.ts";

/** The maximum length of a text, whatever the rules demand. */
const maxCharacters = 1_048_576;

const filling = "abcdefghijklmnopqrstuvwxyz";

interface Lengths {
  readonly least: number;
  readonly most: number;
}

/** In characters and in bytes alike: made-up texts are ASCII. */
function lengthsOf(rules: StringRules, isRequired: boolean): Lengths {
  const given = (names: readonly ("len" | "lenBytes" | "minLen" | "minBytes" | "maxLen" | "maxBytes")[]) =>
    names.filter((name) => Object.hasOwn(rules, name)).map((name) => Number(rules[name]));
  const exact = given(["len", "lenBytes"]);
  const least = Math.max(isRequired ? 1 : 0, ...given(["minLen", "minBytes"]), ...exact);
  const most = Math.min(maxCharacters, ...given(["maxLen", "maxBytes"]), ...exact);
  return { least: Math.min(least, maxCharacters), most };
}

/** A text adjusted to its length limits, prefix, suffix and required content. */
function shaped(text: string, { prefix, suffix, contains }: StringRules, { least, most }: Lengths): string {
  const middle = text.includes(contains) ? "" : contains;
  const fixed = prefix.length + middle.length + suffix.length;
  const body = text.slice(
    text.startsWith(prefix) ? prefix.length : 0,
    text.endsWith(suffix) ? text.length - suffix.length : undefined,
  );
  const fitted = body.slice(0, Math.max(0, most - fixed)).padEnd(Math.max(0, least - fixed), filling);
  // Cutting may have removed the required content.
  const whole = `${prefix}${middle}${fitted}${suffix}`;
  return whole.includes(contains) ? whole : `${prefix}${contains}${fitted.slice(contains.length)}${suffix}`;
}

function isFitting(
  rules: StringRules,
  { least, most }: Lengths,
  pattern: TextPattern | undefined,
): (text: string) => boolean {
  const { prefix, suffix, contains, notContains, notIn } = rules;
  const others = new Set(notIn);
  return (text) => {
    const characters = Array.from(text).length;
    return (
      characters >= least &&
      Buffer.byteLength(text) <= most &&
      text.startsWith(prefix) &&
      text.endsWith(suffix) &&
      text.includes(contains) &&
      (notContains === "" || !text.includes(notContains)) &&
      !others.has(text) &&
      (pattern?.matches(text) ?? true)
    );
  };
}

const byNameTries = 3;
/** How much longer than its minimum an unbounded part of a pattern may become, by attempt. */
const spreads = [8, 8, 8, 3, 0, 1, 16, 32, 64, 256] as const;

/** A maker of texts for a field. If no attempt obeys the rules, the last one is returned. */
export function textValue({ name, owner }: Purpose, rules: StringRules | undefined, isRequired: boolean): MakeText {
  const byName = textByName(name, owner);
  if (rules === undefined) return byName;
  if (Object.hasOwn(rules, "const")) return () => rules.const;
  const among = rules.in.length > 0 ? rules.in : rules.example;
  const choices = among.filter((one) => !rules.notIn.includes(one));
  if (choices.length > 0) return (draw) => draw.pick(choices);
  const format = textFormat(rules);
  const pattern = rules.pattern === "" ? undefined : textPattern(rules.pattern);
  const lengths = lengthsOf(rules, isRequired);
  const fits = isFitting(rules, lengths, pattern);
  const first = format ?? byName;
  return (draw: Draw) => {
    let text = "";
    for (let attempt = 0; attempt < byNameTries; attempt++) {
      text = first(draw);
      if (fits(text) && text !== "") return text;
    }
    for (const spread of spreads) {
      if (pattern === undefined) text = shaped(first(draw), rules, lengths);
      else {
        text = pattern.make(draw, spread);
        // If a pattern is open at its ends, the other required parts are put there.
        if (!fits(text)) text = shaped(text, rules, lengths);
      }
      if (fits(text)) return text;
    }
    return text;
  };
}
