// One line of k6's JSON output that is wanted: a sample of a metric, with its tags and what only this sample tells.
import { isObject } from "@roundtrip/contract";

export interface Point {
  readonly metric: string;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

const prefix = Buffer.from('{"metric":"');
/** Of the tags, or what only this sample tells; of its data; and of the line. */
const suffix = Buffer.from("}}}");
const own = Buffer.from("roundtrip_");
const traffic = Buffer.from("data_");

function hasAt(bytes: Buffer, at: number, end: number, wanted: Buffer): boolean {
  if (at + wanted.length > end) return false;
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}

/**
 * Whether a line has to be parsed, told by its first and last bytes: ten of eleven lines are samples of k6's own metrics, and to parse them would take most
 * of the time. k6 writes a sample's members in one order; whoever writes them in another is not fast, and understood. One that begins like a sample and
 * does not end like one was cut off, maybe with the next file's first line behind it.
 */
export function isWanted(bytes: Buffer, start: number, end: number): boolean {
  if (!hasAt(bytes, start, end, prefix) || !hasAt(bytes, end - suffix.length, end, suffix)) return true;
  const name = start + prefix.length;
  return hasAt(bytes, name, end, own) || hasAt(bytes, name, end, traffic);
}

/** Members that are texts, as tags and metadata of a sample are; none where it has none. Throws a SyntaxError for others. */
function textsIn(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (isObject(value) && Object.values(value).every((one) => typeof one === "string")) return value as Point["tags"];
  throw new SyntaxError("a tag of the sample is no text");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's own words would show what stands in the file.
    throw new SyntaxError("the line is no JSON: it is cut off, or another was written into it", { cause });
  }
}

/** The sample of a line; undefined for one that describes a metric. Throws a SyntaxError for what is none of both. */
export function pointOf(text: string): Point | undefined {
  const line = jsonOf(text);
  if (!isObject(line) || !isObject(line["data"])) throw new SyntaxError("it is no line of k6's JSON output");
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
