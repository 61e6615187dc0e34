// Reads YAML and JSON, from texts, files and folders, into values whose parts have positions in the file.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Document, LineCounter, Node } from "yaml";
import { FakeError, type SourcePosition, type ValuePath } from "../basics/fake-error.ts";
import { FileRefusal } from "@roundtrip/contract/files";
import { readText } from "@roundtrip/contract/text";
import { readdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
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

/** A value of YAML as JSON. Throws a FakeError for values that JSON does not have, and beyond the limits. */
function jsonOf(value: unknown, position: SourcePosition, count = { values: 0 }, depth = 0): JsonValue {
  count.values += 1;
  if (count.values > documentLimits.values) {
    const text = `more than ${documentLimits.values} values, counting each use of an alias`;
    throw new FakeError("too-large", text, { position });
  }
  if (depth > documentLimits.depth) {
    throw new FakeError("too-large", `nested deeper than ${documentLimits.depth} levels`, { position });
  }
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  // As ProtoJSON writes numbers that JSON does not have.
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, position, count, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [key, jsonOf(item, position, count, depth + 1)] as const);
  return Object.fromEntries(entries);
}

/** The plain values of a document. An alias refers to the last anchor before it. */
function valueOf(document: Document.Parsed, positionAt: (offset: number) => SourcePosition): JsonValue {
  const anchors = new Set<string>();
  const { isScalar, visit } = yaml();
  visit(document, {
    Alias(_key, { source, range }) {
      if (anchors.has(source)) return;
      throw new FakeError("unreadable", `no anchor &${source} before this alias`, {
        position: positionAt(range?.[0] ?? 0),
      });
    },
    Node(_key, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Pair(_key, { key }) {
      if (isScalar(key) && key.value !== null) return;
      throw new FakeError("unreadable", "a key must be a string", {
        position: positionAt((key as Node).range?.[0] ?? 0),
      });
    },
  });
  return jsonOf(document.toJS({ maxAliasCount: -1 }), positionAt(0));
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
        : items.find((pair) => yaml().isPair(pair) && yaml().isScalar(pair.key) && String(pair.key.value) === step);
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
    const value = valueOf(document, positionAt);
    if (value === null) return [];
    return [
      { value, file, text, positionOf: (path: ValuePath) => positionAt(nodeAt(document, path)?.range?.[0] ?? 0) },
    ];
  });
}

/** The limits of a text for a running fake, whose other callers wait while it is read. Tokens are those of YAML: names, values, marks and spaces. */
export const sentTextLimits = { characters: 1024 * 1024, tokens: 20_000 } as const;

/** Throws a FakeError for a text that would take too long to read. Counts while it reads, and stops at the limit. */
export function checkSentText(text: string, name: string): void {
  const { characters, tokens } = sentTextLimits;
  if (text.length > characters) throw new FakeError("too-large", `${name} is longer than ${characters} characters`);
  let count = 0;
  for (const _ of new (yaml().Lexer)().lex(text)) {
    count += 1;
    if (count > tokens) {
      throw new FakeError(
        "too-large",
        `${name} has more than ${tokens} tokens: send it in parts, or start the fake with a file`,
      );
    }
  }
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

const extensions: readonly string[] = [".yaml", ".yml", ".json"];

const maxFiles = 1_000;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

function unreadable(path: string, cause: unknown): FakeError {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  return new FakeError("unreadable", `cannot read ${path}: ${reasons[code] ?? message}`, { cause });
}

/** The files of a path: the file itself, or those below a folder, by name. */
async function filesAt(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  const files = entries
    .filter((entry) => !entry.isDirectory() && extensions.includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  if (files.length > maxFiles) throw new FakeError("too-large", `${path} has more than ${maxFiles} files`);
  return files;
}

function textAt(path: string): string {
  try {
    return readText(path, documentLimits.fileBytes);
  } catch (cause) {
    if (!(cause instanceof FileRefusal) || !cause.isTooLarge) throw unreadable(path, cause);
    throw new FakeError("too-large", `${path} is larger than ${documentLimits.fileBytes} bytes`, { cause });
  }
}

/**
 * The documents of a file, or of all .yaml, .yml and .json files in a folder and its subfolders, in the order of their paths. Rejects with a
 * FakeError with the position of an error.
 */
export async function readDocuments(path: string): Promise<readonly LocatedDocument[]> {
  const documents: LocatedDocument[] = [];
  for (const file of await filesAt(path)) documents.push(...parseDocuments(textAt(file), file));
  return documents;
}
