// Parses YAML and JSON into values whose parts have positions in the file.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Alias, Document, LineCounter, Node, Pair } from "yaml";
import { FakeError, type SourcePosition, type ValuePath } from "../basics/fake-error.ts";
import { createRequire } from "node:module";
import type * as Yaml from "yaml";

// Loads the YAML library when something is first read or written: a fake without files starts without it.
const require = createRequire(import.meta.url);
let loaded: typeof Yaml | undefined;

export function yaml(): typeof Yaml {
  loaded ??= require("yaml") as typeof Yaml;
  return loaded;
}

export interface LocatedDocument {
  readonly value: JsonValue;
  readonly file: string;
  /** The whole file, which may contain other documents. */
  readonly text: string;
  /** The position of the value at a path, or of its nearest parent if the value is missing. */
  positionOf(path: ValuePath): SourcePosition;
}

/** The limits of a file. A few lines of nested aliases can mean millions of values, so repeated values count each time. */
export const documentLimits = { fileBytes: 8 * 1024 * 1024, values: 1_000_000, depth: 64 } as const;

/**
 * Adds the position in the file to an error about a part of a document.
 * @param place the path of the part, which the message does not repeat
 */
export function withPosition(thrown: unknown, document: LocatedDocument, place: ValuePath = []): unknown {
  if (!(thrown instanceof FakeError) || thrown.position !== undefined) return thrown;
  const { code, what, path } = thrown;
  return new FakeError(code, what, { position: document.positionOf([...place, ...path]), path, cause: thrown });
}

class DocumentReader {
  readonly #positionAt: (offset: number) => SourcePosition;
  /** By anchor, as far as the document has been read: an alias refers to the last anchor before it. */
  readonly #anchored = new Map<string, unknown>();
  #values = 0;

  constructor(positionAt: (offset: number) => SourcePosition) {
    this.#positionAt = positionAt;
  }

  /** A node as JSON. Throws a FakeError for values that JSON does not have, and beyond the limits. */
  read(node: unknown, depth = 0, isRepeated = false): JsonValue {
    this.#count(node, depth);
    if (yaml().isAlias(node)) return this.read(this.#target(node), depth + 1, true);
    if (node === null || node === undefined) return null;
    if (!isRepeated) this.#keepAnchor(node);
    if (yaml().isMap(node)) {
      return Object.fromEntries(
        node.items.map((pair) => [this.#keyOf(pair), this.read(pair.value, depth + 1, isRepeated)] as const),
      );
    }
    if (yaml().isSeq(node)) return node.items.map((item) => this.read(item, depth + 1, isRepeated));
    if (yaml().isScalar(node)) return this.#scalar(node.value, node);
    throw this.#error("unreadable", "not a value", node);
  }

  #count(node: unknown, depth: number): void {
    this.#values += 1;
    if (this.#values > documentLimits.values) {
      throw this.#error("too-large", `more than ${documentLimits.values} values, counting each use of an alias`, node);
    }
    if (depth > documentLimits.depth) {
      throw this.#error("too-large", `nested deeper than ${documentLimits.depth} levels`, node);
    }
  }

  #keepAnchor(node: unknown): void {
    const { anchor } = node as { readonly anchor?: string };
    if (anchor !== undefined) this.#anchored.set(anchor, node);
  }

  #target(alias: Alias): unknown {
    const { source } = alias;
    if (this.#anchored.has(source)) return this.#anchored.get(source);
    throw this.#error("unreadable", `no anchor &${source} before this alias`, alias);
  }

  #scalar(value: unknown, node: unknown): JsonValue {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    // As ProtoJSON writes numbers that JSON does not have.
    if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    throw this.#error("unreadable", "not a value that JSON can express", node);
  }

  #keyOf({ key }: Pair): string {
    if (yaml().isScalar(key) && ["string", "number", "bigint", "boolean"].includes(typeof key.value))
      return String(key.value);
    throw this.#error("unreadable", "a key must be a string", key);
  }

  #error(code: "too-large" | "unreadable", what: string, node: unknown): FakeError {
    return new FakeError(code, what, { position: this.#positionAt((node as Node | null)?.range?.[0] ?? 0) });
  }
}

/** The deepest existing node along a path, with map keys instead of their values. */
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
 * The documents of a text in YAML (JSON is valid YAML), without empty ones. Integers beyond JavaScript's range become texts, which ProtoJSON
 * accepts. Throws a FakeError with the position for invalid YAML, and beyond the limits.
 * @param file the name of the text in errors
 */
export function parseDocuments(text: string, file: string): readonly LocatedDocument[] {
  if (text.length > documentLimits.fileBytes) {
    throw new FakeError("too-large", `${file} is larger than ${documentLimits.fileBytes} bytes`);
  }
  const lineCounter = new (yaml().LineCounter)();
  const positionAt = (offset: number): SourcePosition => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const documents = parsed(text, file, lineCounter);
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) {
      throw new FakeError("unreadable", errorText(error), { position: positionAt(error.pos[0]), cause: error });
    }
    const value = new DocumentReader(positionAt).read(document.contents);
    if (value === null) return [];
    return [
      { value, file, text, positionOf: (path: ValuePath) => positionAt(nodeAt(document, path)?.range?.[0] ?? 0) },
    ];
  });
}

function errorText({ message }: Error): string {
  const [first = message] = message.split("\n");
  return first.includes("call stack") ? "nested too deeply" : first;
}

function parsed(text: string, file: string, lineCounter: LineCounter): readonly Document.Parsed[] {
  try {
    // Distinguishes an empty text from a list of no documents.
    const documents = yaml().parseAllDocuments(text, {
      lineCounter,
      intAsBigInt: true,
      prettyErrors: false,
      logLevel: "silent",
    });
    return "empty" in documents ? [] : documents;
  } catch (cause) {
    throw new FakeError("too-large", `${file} is nested too deeply`, { cause });
  }
}
