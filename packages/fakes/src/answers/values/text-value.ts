// Makes texts that obey the rules of their field, and fit its name if the rules allow that.
import type { CallError } from "@roundtrip/contract";
import type { FieldRules } from "@roundtrip/contract/declared-rules";
import type { StringRules, BytesRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Draw, Purpose } from "../draw.ts";
import { maxTextCharacters, tooMuch } from "../limits.ts";
import { hashBytes, textByName, type MakeText } from "./text-by-name.ts";
import { textPattern, type TextPattern } from "./text-from-pattern.ts";

const usualBytes = 16;

function lengthFor({ wellKnown }: BytesRules): number | undefined {
  if (wellKnown.value !== true) return undefined;
  return wellKnown.case === "ip" || wellKnown.case === "ipv4" ? 4 : 16;
}

function lengthOf(rules: BytesRules, isRequired: boolean): number {
  const format = lengthFor(rules);
  if (format !== undefined) return format;
  if (Object.hasOwn(rules, "len")) return Math.min(Number(rules.len), maxTextCharacters);
  const least = Math.max(isRequired ? 1 : 0, Number(rules.minLen), usualBytes);
  return Math.min(maxTextCharacters, least, Object.hasOwn(rules, "maxLen") ? Number(rules.maxLen) : maxTextCharacters);
}

/** How much longer than its minimum an unbounded part of a pattern may become, by attempt. */
const spreads = [8, 8, 8, 3, 0, 1, 16, 32, 64, 256] as const;

function notFound({ fullName }: Purpose): CallError {
  return tooMuch(`no text that obeys the rules of ${fullName} was found`);
}

/** Bytes of a text that matches a pattern and has an allowed length. */
function patternBytes(
  purpose: Purpose,
  rules: BytesRules,
  { make, matches, isChecked }: TextPattern,
): (draw: Draw) => Uint8Array {
  const lengthOr = (name: "minLen" | "maxLen", otherwise: number): number =>
    Number(Object.hasOwn(rules, "len") ? rules.len : Object.hasOwn(rules, name) ? rules[name] : otherwise);
  const [least, most] = [lengthOr("minLen", 0), lengthOr("maxLen", maxTextCharacters)];
  return (draw) => {
    for (const spread of spreads) {
      const text = make(draw, spread);
      const bytes = new TextEncoder().encode(text);
      if (!isChecked || (bytes.length >= least && bytes.length <= most && matches(text))) return bytes;
    }
    throw notFound(purpose);
  };
}

/** A maker of bytes for a field. */
export function bytesValue(
  purpose: Purpose,
  rules: BytesRules | undefined,
  isRequired: boolean,
): (draw: Draw) => Uint8Array {
  if (rules === undefined) return (draw) => draw.bytes(hashBytes(purpose.name) ?? usualBytes);
  if (Object.hasOwn(rules, "const")) return () => rules.const;
  if (rules.in.length > 0) return (draw) => draw.pick(rules.in);
  if (rules.example.length > 0) return (draw) => draw.pick(rules.example);
  const pattern = rules.pattern === "" ? undefined : textPattern(rules.pattern);
  if (pattern !== undefined) return patternBytes(purpose, rules, pattern);
  const { prefix, contains, suffix } = rules;
  const fixed = prefix.length + contains.length + suffix.length;
  const length = Math.max(0, lengthOf(rules, isRequired) - fixed);
  return (draw) => new Uint8Array(Buffer.concat([prefix, contains, draw.bytes(length), suffix]));
}

type Format = Exclude<StringRules["wellKnown"]["case"], undefined>;

const ipv4: MakeText = ({ words }) => words.internet.ipv4();
const ipv6: MakeText = ({ words }) => words.internet.ipv6();
const hostname: MakeText = ({ words }) => words.internet.domainName();

function fqn({ words }: Parameters<MakeText>[0]): string {
  const letters = { length: 6, casing: "lower" } as const;
  return `${words.string.alpha(letters)}.v1.${words.string.alpha({ ...letters, length: 1, casing: "upper" })}${words.string.alpha(letters)}`;
}

const makers: Readonly<Record<Format, MakeText>> = {
  email: ({ words }) => words.internet.exampleEmail(),
  hostname,
  ip: ipv4,
  ipv4,
  ipv6,
  uri: ({ words }) => `https://${words.internet.domainName()}/${words.string.alpha(8)}`,
  uriRef: ({ words }) => `/${words.string.alpha(8)}/${words.string.alpha(5)}`,
  address: hostname,
  uuid: ({ words }) => words.string.uuid(),
  tuuid: ({ words }) => words.string.uuid().replaceAll("-", ""),
  ulid: ({ words }) => words.string.ulid({ refDate: Date.UTC(2024, 0, 1) }),
  ipWithPrefixlen: (draw) => `${ipv4(draw)}/${draw.int(8, 32)}`,
  ipv4WithPrefixlen: (draw) => `${ipv4(draw)}/${draw.int(8, 32)}`,
  ipv6WithPrefixlen: (draw) => `${ipv6(draw)}/${draw.int(32, 128)}`,
  // A prefix has zero bits after its length.
  ipPrefix: (draw) => `10.${draw.int(0, 255)}.0.0/16`,
  ipv4Prefix: (draw) => `10.${draw.int(0, 255)}.0.0/16`,
  ipv6Prefix: (draw) => `2001:db8:${draw.int(1, 9_999)}::/48`,
  hostAndPort: (draw) => `${hostname(draw)}:${draw.int(1_024, 65_535)}`,
  protobufFqn: fqn,
  protobufDotFqn: (draw) => `.${fqn(draw)}`,
  // Header names and values: letters are valid in both.
  wellKnownRegex: ({ words }) => `x-${words.string.alpha({ length: 6, casing: "lower" })}`,
};

/** Undefined if the rules name no format. */
function textFormat({ wellKnown }: StringRules): MakeText | undefined {
  if (wellKnown.case === undefined || !wellKnown.value) return undefined;
  return makers[wellKnown.case];
}

const filling = "abcdefghijklmnopqrstuvwxyz";

interface Lengths {
  readonly least: number;
  readonly most: number;
}

/** In characters and in bytes alike: made-up texts are ASCII. */
function lengthsOf(rules: StringRules, isRequired: boolean): Lengths {
  const valuesOf = (names: readonly ("len" | "lenBytes" | "minLen" | "minBytes" | "maxLen" | "maxBytes")[]) =>
    names.filter((name) => Object.hasOwn(rules, name)).map((name) => Number(rules[name]));
  const exact = valuesOf(["len", "lenBytes"]);
  const least = Math.max(isRequired ? 1 : 0, ...valuesOf(["minLen", "minBytes"]), ...exact);
  const most = Math.min(maxTextCharacters, ...valuesOf(["maxLen", "maxBytes"]), ...exact);
  return { least: Math.min(least, maxTextCharacters), most };
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

/** Whether a text obeys the rules, apart from formats, which none is said to obey. */
export function textFits(declared: FieldRules["type"]["value"]): (text: string) => boolean {
  const rules = declared as StringRules | undefined;
  if (rules === undefined) return () => true;
  if (textFormat(rules) !== undefined) return () => false;
  const among = Object.hasOwn(rules, "const") ? [rules.const] : rules.in;
  const pattern = rules.pattern === "" ? undefined : textPattern(rules.pattern);
  const fits = isFitting(rules, lengthsOf(rules, false), pattern);
  return (text) => fits(text) && (among.length === 0 || among.includes(text));
}

const byNameTries = 3;
/** How many characters of texts are compared with the rules: long ones fewer times, because a pattern takes milliseconds for each. */
const maxTriedCharacters = 2 * maxTextCharacters;

/** A maker of texts for a field. Throws RESOURCE_EXHAUSTED if no attempt obeys the rules. */
export function textValue(purpose: Purpose, rules: StringRules | undefined, isRequired: boolean): MakeText {
  const byName = textByName(purpose.name, purpose.owner);
  if (rules === undefined) return byName;
  if (Object.hasOwn(rules, "const")) return () => rules.const;
  const among = rules.in.length > 0 ? rules.in : rules.example;
  const choices = among.filter((choice) => !rules.notIn.includes(choice));
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
    let tried = 0;
    for (const spread of spreads) {
      if (tried > maxTriedCharacters) break;
      if (pattern === undefined) text = shaped(first(draw), rules, lengths);
      else {
        text = pattern.make(draw, spread);
        // If a pattern is open at its ends, the other required parts are put there.
        if (!fits(text)) text = shaped(text, rules, lengths);
      }
      if (fits(text)) return text;
      tried += text.length;
    }
    if (pattern?.isChecked === false) return text;
    throw notFound(purpose);
  };
}
