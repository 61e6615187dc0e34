// YAML and JSON that people write, as values that know where in their file each part of them stands.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Alias, Document, LineCounter, Node, Pair } from "yaml";
import { FakeError, type SourcePosition, type ValuePath } from "../basics/fake-error.ts";
import { yaml } from "./yaml.ts";

export interface LocatedDocument {
  readonly value: JsonValue;
  readonly file: string;
  /** All of its file: other documents may stand there too. */
  readonly text: string;
  /** Where the value at a path stands; where its nearest surrounding does, for what is not there. */
  placeOf(path: ValuePath): SourcePosition;
}

/** What a file may hold. A few lines of aliases to aliases are millions of values: they count as often as they are there. */
export const documentLimits = { fileBytes: 8 * 1024 * 1024, values: 1_000_000, depth: 64 } as const;

/** One document while it is read. */
class DocumentReader {
  readonly #placeAt: (offset: number) => SourcePosition;
  /** By their anchors, as far as the document has been read: an alias means the last one before it. */
  readonly #anchored = new Map<string, unknown>();
  #values = 0;

  constructor(placeAt: (offset: number) => SourcePosition) {
    this.#placeAt = placeAt;
  }

  /** A node as JSON. Throws a FakeError for what JSON has no word for, and beyond the limits. */
  read(node: unknown, depth = 0, isRepeated = false): JsonValue {
    this.#count(node, depth);
    if (yaml().isAlias(node)) return this.read(this.#meant(node), depth + 1, true);
    if (node === null || node === undefined) return null;
    if (!isRepeated) this.#keepAnchor(node);
    if (yaml().isMap(node)) {
      return Object.fromEntries(
        node.items.map((pair) => [this.#keyOf(pair), this.read(pair.value, depth + 1, isRepeated)] as const),
      );
    }
    if (yaml().isSeq(node)) return node.items.map((item) => this.read(item, depth + 1, isRepeated));
    if (yaml().isScalar(node)) return this.#scalar(node.value, node);
    throw this.#fault("unreadable", "this is no value", node);
  }

  #count(node: unknown, depth: number): void {
    this.#values += 1;
    if (this.#values > documentLimits.values) {
      throw this.#fault("too-large", `more than ${documentLimits.values} values, counting what aliases repeat`, node);
    }
    if (depth > documentLimits.depth) {
      throw this.#fault("too-large", `nested deeper than ${documentLimits.depth}`, node);
    }
  }

  #keepAnchor(node: unknown): void {
    const { anchor } = node as { readonly anchor?: string };
    if (anchor !== undefined) this.#anchored.set(anchor, node);
  }

  #meant(alias: Alias): unknown {
    const { source } = alias;
    if (this.#anchored.has(source)) return this.#anchored.get(source);
    throw this.#fault("unreadable", `nothing above is called &${source}`, alias);
  }

  #scalar(value: unknown, node: unknown): JsonValue {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    // As ProtoJSON spells what JSON's numbers cannot hold.
    if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    throw this.#fault("unreadable", "this is no value that JSON has", node);
  }

  #keyOf({ key }: Pair): string {
    if (yaml().isScalar(key) && ["string", "number", "bigint", "boolean"].includes(typeof key.value))
      return String(key.value);
    throw this.#fault("unreadable", "a key is one text", key);
  }

  #fault(code: "too-large" | "unreadable", what: string, node: unknown): FakeError {
    return new FakeError(code, what, { place: this.#placeAt((node as Node | null)?.range?.[0] ?? 0) });
  }
}

/** The deepest node along a path that there is, keys of maps for their values. */
function nodeAt(document: Document.Parsed, path: ValuePath): Node | undefined {
  let node: unknown = document.contents;
  let at: unknown = node;
  for (const step of path) {
    const inside = yaml().isAlias(node) ? node.resolve(document) : node;
    const items: readonly unknown[] = yaml().isMap(inside) || yaml().isSeq(inside) ? inside.items : [];
    const item =
      typeof step === "number"
        ? items[step]
        : items.find((one) => yaml().isPair(one) && yaml().isScalar(one.key) && String(one.key.value) === step);
    if (item === undefined) break;
    [at, node] = yaml().isPair(item) ? [item.key, item.value] : [item, item];
  }
  return at === null ? undefined : (at as Node);
}

/**
 * The documents of a text in YAML, which JSON is a part of; empty ones are left out. Whole numbers beyond JavaScript's come as texts, which
 * ProtoJSON takes. Throws a FakeError with the place for what is no YAML, and beyond the limits.
 * @param file what the text is called in faults.
 */
export function parseDocuments(text: string, file: string): readonly LocatedDocument[] {
  if (text.length > documentLimits.fileBytes) {
    throw new FakeError("too-large", `${file} has more than ${documentLimits.fileBytes} bytes`);
  }
  const lineCounter = new (yaml().LineCounter)();
  const placeAt = (offset: number): SourcePosition => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const documents = parsed(text, file, lineCounter);
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) {
      throw new FakeError("unreadable", faultText(error), { place: placeAt(error.pos[0]), cause: error });
    }
    const value = new DocumentReader(placeAt).read(document.contents);
    if (value === null) return [];
    return [{ value, file, text, placeOf: (path: ValuePath) => placeAt(nodeAt(document, path)?.range?.[0] ?? 0) }];
  });
}

function faultText({ message }: Error): string {
  const [first = message] = message.split("\n");
  return first.includes("call stack") ? "nested too deeply to be read" : first;
}

function parsed(text: string, file: string, lineCounter: LineCounter): readonly Document.Parsed[] {
  try {
    // An empty text is told apart from a list of no documents.
    const documents = yaml().parseAllDocuments(text, {
      lineCounter,
      intAsBigInt: true,
      prettyErrors: false,
      logLevel: "silent",
    });
    return "empty" in documents ? [] : documents;
  } catch (cause) {
    throw new FakeError("too-large", `${file} is nested too deeply to be read`, { cause });
  }
}
