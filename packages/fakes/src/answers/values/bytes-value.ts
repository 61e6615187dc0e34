// Makes bytes that obey the rules of their field.
import type { BytesRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Draw } from "../draw.ts";
import { textPattern } from "./text-from-pattern.ts";

const maxBytes = 1_048_576;
const usualBytes = 16;

function lengthFor({ wellKnown }: BytesRules): number | undefined {
  if (wellKnown.value !== true) return undefined;
  return wellKnown.case === "ip" || wellKnown.case === "ipv4" ? 4 : 16;
}

function lengthOf(rules: BytesRules, isRequired: boolean): number {
  const format = lengthFor(rules);
  if (format !== undefined) return format;
  if (Object.hasOwn(rules, "len")) return Math.min(Number(rules.len), maxBytes);
  const least = Math.max(isRequired ? 1 : 0, Number(rules.minLen), usualBytes);
  return Math.min(maxBytes, least, Object.hasOwn(rules, "maxLen") ? Number(rules.maxLen) : maxBytes);
}

/** A maker of bytes for a field. */
export function bytesValue(rules: BytesRules | undefined, isRequired: boolean): (draw: Draw) => Uint8Array {
  if (rules === undefined) return (draw) => draw.bytes(usualBytes);
  if (Object.hasOwn(rules, "const")) return () => rules.const;
  if (rules.in.length > 0) return (draw) => draw.pick(rules.in);
  if (rules.example.length > 0) return (draw) => draw.pick(rules.example);
  const pattern = rules.pattern === "" ? undefined : textPattern(rules.pattern);
  if (pattern !== undefined) return (draw) => new TextEncoder().encode(pattern.make(draw, 8));
  const { prefix, contains, suffix } = rules;
  const fixed = prefix.length + contains.length + suffix.length;
  const length = Math.max(0, lengthOf(rules, isRequired) - fixed);
  return (draw) => new Uint8Array(Buffer.concat([prefix, contains, draw.bytes(length), suffix]));
}
