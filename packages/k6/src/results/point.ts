// Parses a line of k6's JSON output: a sample of a metric, with its tags and metadata.
import { isObject } from "@roundtrip/contract";

export interface Point {
  readonly metric: string;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

const prefix = Buffer.from('{"metric":"');
/** The closing braces of the tags or the metadata, of the data, and of the line. */
const suffix = Buffer.from("}}}");
const own = Buffer.from("roundtrip_");
const traffic = Buffer.from("data_");

function hasAt(bytes: Buffer, at: number, end: number, wanted: Buffer): boolean {
  if (at + wanted.length > end) return false;
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}

/**
 * Whether a line must be parsed, by its first and last bytes: ten of eleven lines are samples of k6's own metrics, and parsing them would take most of
 * the time. Lines with members in another order than k6's are always parsed, and so is a line that begins like a sample and does not end like one,
 * because it was cut off.
 */
export function isWanted(bytes: Buffer, start: number, end: number): boolean {
  if (!hasAt(bytes, start, end, prefix) || !hasAt(bytes, end - suffix.length, end, suffix)) return true;
  const name = start + prefix.length;
  return hasAt(bytes, name, end, own) || hasAt(bytes, name, end, traffic);
}

/** The text members of a sample's tags or metadata; empty if there are none. Throws a SyntaxError for other members. */
function textsIn(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (isObject(value) && Object.values(value).every((one) => typeof one === "string")) return value as Point["tags"];
  throw new SyntaxError("a tag of the sample is not a text");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's message would show the content of the file.
    throw new SyntaxError("the line is not JSON: it is cut off, or another line was written into it", { cause });
  }
}

/** The sample of a line; undefined for a line that describes a metric. Throws a SyntaxError for any other. */
export function pointOf(text: string): Point | undefined {
  const line = jsonOf(text);
  if (!isObject(line) || !isObject(line["data"])) throw new SyntaxError("it is not a line of k6's JSON output");
  if (line["type"] !== "Point") return undefined;
  const { metric } = line;
  const { value, tags, metadata } = line["data"];
  if (typeof metric !== "string" || typeof value !== "number")
    throw new SyntaxError("the sample has no metric or no value");
  return {
    metric,
    value,
    tags: textsIn(tags),
    metadata: textsIn(metadata),
  };
}
