// Reads XML with saxes, as SOAP allows it: no document type, so no entities, and no processing instructions. Nothing is ever fetched.
import { SaxesParser, type SaxesOptions, type SaxesTagNS } from "saxes";
import { badElement, badXml, ElementError } from "./element-error.ts";

/** An element while it is read. Its methods throw an ElementError for what is not allowed in it. */
export interface Frame {
  /** The name of the field that is being read, for the path of an error; empty for none. */
  readonly step: string;
  open(tag: SaxesTagNS): Frame;
  /** Called for each piece of text. */
  text(text: string): void;
  /** The element's value, at its end. */
  close(): unknown;
  /** Receives the value of the child that was opened last. */
  closed(value: unknown): void;
}

/** Messages nest 100 levels, entries of maps add one to each, and the envelope three. */
const maxDepth = 256;
const maxAttributes = 64;
const onlySpace = /^[ \t\r\n]*$/;

/** Throws an ElementError for text other than white space. */
export function checkSpace(text: string): void {
  if (!onlySpace.test(text)) throw new ElementError("has text between its elements");
}

function pathOf(frames: readonly Frame[]): string {
  return frames
    .map(({ step }) => step)
    .filter((step) => step !== "")
    .join(".");
}

function refuse(what: string): () => never {
  return () => {
    throw new ElementError(`SOAP allows no ${what}`);
  };
}

/**
 * The parser of saxes, with space for its handlers. An object of the class itself has none left after six: V8 then looks up each of its properties in
 * a table, and parsing takes four times as long.
 */
class FastParser extends SaxesParser<SaxesOptions & { readonly xmlns: true }> {}

/** A parser with its handlers. Documents follow each other, because to make one costs as much as to read a small document. */
class Reader {
  readonly #parser = new FastParser({
    xmlns: true,
    position: false,
    forceXMLVersion: true,
    defaultXMLVersion: "1.0",
  });
  #frames: Frame[] = [];
  #attributes = 0;

  constructor() {
    const parser = this.#parser;
    parser.on("doctype", refuse("document type"));
    parser.on("processinginstruction", refuse("processing instruction"));
    parser.on("attribute", () => this.#countAttribute());
    parser.on("opentag", (tag) => this.#open(tag));
    parser.on("text", (piece) => this.#text(piece));
    parser.on("cdata", (piece) => this.#text(piece));
    parser.on("closetag", () => {
      const value = this.#frames.pop()?.close();
      this.#top.closed(value);
    });
    parser.on("xmldecl", ({ encoding }) => {
      if (encoding !== undefined && !/^(?:utf-8|us-ascii)$/i.test(encoding)) {
        throw new ElementError(`the document says that it is in ${encoding}, but must be in UTF-8`);
      }
    });
  }

  /** Reads a document. After an error the reader cannot be used again. */
  read(text: string, document: Frame): void {
    this.#frames = [document];
    try {
      this.#parser.write(text).close();
    } catch (thrown) {
      if (thrown instanceof ElementError) throw badElement(pathOf(this.#frames), thrown);
      // The parser throws bare Errors; what frames throw about whole documents is a CallError.
      if (thrown instanceof Error && thrown.name === "Error")
        throw badXml(`the body is not XML: ${thrown.message}`, thrown);
      throw thrown;
    }
    this.#frames = [];
  }

  get #top(): Frame {
    // The frame of the document is never removed.
    return this.#frames.at(-1) as Frame;
  }

  #open(tag: SaxesTagNS): void {
    if (this.#frames.length > maxDepth) throw new ElementError(`elements nest more than ${maxDepth} levels deep`);
    this.#attributes = 0;
    this.#frames.push(this.#top.open(tag));
  }

  #countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > maxAttributes)
      throw new ElementError(`an element has more than ${maxAttributes} attributes`);
  }

  #text(piece: string): void {
    // Around the root is white space only, as the parser checks.
    if (this.#frames.length > 1) this.#top.text(piece);
  }
}

/** The reader for the next document; undefined while one is read, and after an error. */
let idle: Reader | undefined;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a document into frames. Its memory and time are linear in the size of the bytes, which callers limit.
 * @param document the frame around the root element
 * @throws CallError INVALID_ARGUMENT for bytes that are not such XML in UTF-8, and what frames throw
 */
export function readXml(bytes: Uint8Array, document: Frame): void {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw badXml("the body is not XML in UTF-8", cause);
  }
  const reader = idle ?? new Reader();
  idle = undefined;
  reader.read(text, document);
  idle = reader;
}

/** An element whose content is of no interest. */
export const skipped: Frame = {
  step: "",
  open: () => skipped,
  text: () => undefined,
  close: () => undefined,
  closed: () => undefined,
};
