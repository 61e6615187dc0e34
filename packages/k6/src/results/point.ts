// One line of k6's JSON output that is wanted: a sample of a metric, with its tags and what only this sample tells.

export interface Point {
  readonly metric: string;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

const prefix = Buffer.from('{"metric":"');
const own = Buffer.from("roundtrip_");
const traffic = Buffer.from("data_");

function hasAt(bytes: Buffer, at: number, end: number, wanted: Buffer): boolean {
  if (at + wanted.length > end) return false;
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}

/**
 * Whether a line may be of a metric that is read, told by its first bytes: ten of eleven lines are k6's own, and to parse them would take most of the
 * time. k6 writes a sample's members in one order; whoever writes them in another is not fast, and understood.
 */
export function isWanted(bytes: Buffer, start: number, end: number): boolean {
  if (!hasAt(bytes, start, end, prefix))
    return bytes.includes('"roundtrip_', start) && bytes.indexOf('"roundtrip_', start) < end;
  const name = start + prefix.length;
  return hasAt(bytes, name, end, own) || hasAt(bytes, name, end, traffic);
}

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The sample of a line; undefined for one that describes a metric. Throws a SyntaxError for what is none of both. */
export function pointOf(text: string): Point | undefined {
  const line = JSON.parse(text) as unknown;
  if (!isObject(line) || !isObject(line["data"])) throw new SyntaxError("it is no line of k6's JSON output");
  if (line["type"] !== "Point") return undefined;
  const { metric } = line;
  const { value, tags, metadata } = line["data"];
  if (typeof metric !== "string" || typeof value !== "number")
    throw new SyntaxError("the sample has no metric or no value");
  return {
    metric,
    value,
    tags: isObject(tags) ? (tags as Point["tags"]) : {},
    metadata: isObject(metadata) ? (metadata as Point["metadata"]) : {},
  };
}
