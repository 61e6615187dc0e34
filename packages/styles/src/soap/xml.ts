// XML as SOAP uses it: text, elements, namespaces, and reading a document. saxes reads it: it is strict, streams and knows no document types.
// fast-xml-parser had three advisories of entity expansion in a year, and @xmldom/xmldom keeps the whole document.
import { CallError, heldBy, memoryExhausted, ownTurn } from "@roundtrip/contract";
import { type HttpError, tooLarge } from "../shared/http/http-service.ts";
import { type SaxesOptions, SaxesParser, type SaxesTagNS } from "saxes";

// The XML namespaces that SOAP, its schemas and its descriptions use.

export const xsdNamespace = "http://www.w3.org/2001/XMLSchema";
export const xsiNamespace = "http://www.w3.org/2001/XMLSchema-instance";
export const wsdlNamespace = "http://schemas.xmlsoap.org/wsdl/";
export const wsdlSoap11Namespace = "http://schemas.xmlsoap.org/wsdl/soap/";
export const wsdlSoap12Namespace = "http://schemas.xmlsoap.org/wsdl/soap12/";
/** The transport of both bindings: SOAP over HTTP. */
export const httpTransport = "http://schemas.xmlsoap.org/soap/http";
/** The namespace of the details of a fault. */
export const errorNamespace = "urn:roundtrip:error";

// Text in XML 1.0: which characters it can carry, and how they are escaped.

/** Characters that XML 1.0 cannot carry in any form (section 2.2). Halves of surrogate pairs are checked apart. */
// oxlint-disable-next-line no-control-regex -- it is about control characters
const unspeakable = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;
const unspeakables = new RegExp(unspeakable, "g");
// A parser reads a bare carriage return as a line feed (section 2.11).
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Whether XML 1.0 can carry the text. */
export function isXmlText(text: string): boolean {
  return !unspeakable.test(text) && text.isWellFormed();
}

/** Everything that is not written as it is: most texts have nothing of it, and are searched once. */
// oxlint-disable-next-line no-control-regex -- it is about control characters
const special = /[\0-\x08\x0B-\x1F&<>"\uD800-\uDFFF\uFFFE\uFFFF]/;

/** Escapes text for the content of an element or an attribute in double quotes; undefined for text that XML 1.0 cannot carry. */
export function escaped(text: string): string | undefined {
  if (!special.test(text)) return text;
  return isXmlText(text) ? withEscapes(text) : undefined;
}

function withEscapes(text: string): string {
  return text.replaceAll(/[&<>"\r]/g, (character) => escapes[character] ?? character);
}

/** Escapes any text; the replacement character stands for what XML cannot carry. For messages of errors, which are for people. */
export function escapedAnyText(text: string): string {
  return withEscapes(text.toWellFormed().replace(unspeakables, "\uFFFD"));
}

// Errors of XML that is not of the contract.

/** What is wrong with an element, before its path is known. */
export class ElementError extends Error {
  override readonly name = "ElementError";
}

/** INVALID_ARGUMENT for a document as a whole. */
export function badXml(description: string, cause?: unknown): CallError {
  return new CallError("INVALID_ARGUMENT", description, {}, cause === undefined ? {} : { cause });
}

/** INVALID_ARGUMENT for an element. @param path of the field, for example `customer.name`; empty for the message itself. */
function badElement(path: string, { message }: ElementError): CallError {
  if (path === "") return badXml(message);
  const violations = [{ field: path, description: message, reason: "xml" }];
  return new CallError("INVALID_ARGUMENT", `${path}: ${message}`, { violations });
}

export interface ElementTree {
  readonly local: string;
  readonly uri: string;
  readonly text: string;
  readonly children: readonly ElementTree[];
}

export class TreeFrame implements Frame {
  readonly step = "";
  readonly #local: string;
  readonly #uri: string;
  readonly #children: ElementTree[] = [];
  #text = "";

  constructor({ local, uri }: SaxesTagNS) {
    this.#local = local;
    this.#uri = uri;
  }

  open(tag: SaxesTagNS): Frame {
    return new TreeFrame(tag);
  }

  text(text: string): void {
    this.#text += text;
  }

  close(): ElementTree {
    return { local: this.#local, uri: this.#uri, text: this.#text, children: this.#children };
  }

  closed(value: unknown): void {
    this.#children.push(value as ElementTree);
  }
}

/** The first child of this name. */
export function childNamed(tree: ElementTree | undefined, name: string): ElementTree | undefined {
  return tree?.children.find(({ local }) => local === name);
}

/** The text of the first child of this name; empty without one. */
export function textOf(tree: ElementTree | undefined, name: string): string {
  return childNamed(tree, name)?.text ?? "";
}

// Reads XML with saxes, as SOAP allows it: no document type, so no entities, and no processing instructions. Nothing is ever fetched.

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
export const maxXmlDepth = 256;
const maxXmlAttributes = 64;
export const maxXmlElements = 100_000;

function tooManyElements(): HttpError {
  return tooLarge(`the XML has more than ${maxXmlElements} elements`);
}

/** Throws the error of too many elements, without reading them. Comments and the like, in which a tag is none, are left to the reader. */
function checkElements(text: string): void {
  if (text.includes("<!")) return;
  let tags = 0;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at + 1)) {
    if (text[at + 1] !== "/" && text[at + 1] !== "?") tags += 1;
  }
  if (tags > maxXmlElements) throw tooManyElements();
}

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
  #elements = 0;

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
    this.begin(document);
    this.#parse(() => this.#parser.write(text).close());
    this.#frames = [];
  }

  /** Begins a document, whose pieces {@link add} reads. */
  begin(document: Frame): void {
    this.#frames = [document];
    this.#elements = 0;
  }

  add(piece: string): void {
    this.#parse(() => this.#parser.write(piece));
  }

  end(): void {
    this.#parse(() => this.#parser.close());
  }

  #parse(parse: () => void): void {
    try {
      parse();
    } catch (thrown) {
      if (thrown instanceof ElementError) throw badElement(pathOf(this.#frames), thrown);
      // The parser throws bare Errors; what frames throw about whole documents is a CallError.
      if (thrown instanceof Error && thrown.name === "Error")
        throw badXml(`the body is not XML: ${thrown.message}`, thrown);
      throw thrown;
    }
  }

  get #top(): Frame {
    // The frame of the document is never removed.
    return this.#frames.at(-1) as Frame;
  }

  #open(tag: SaxesTagNS): void {
    if (this.#frames.length > maxXmlDepth) {
      throw new ElementError(`elements nest more than ${maxXmlDepth} levels deep`);
    }
    this.#elements += 1;
    if (this.#elements > maxXmlElements) throw tooManyElements();
    this.#attributes = 0;
    this.#frames.push(this.#top.open(tag));
  }

  #countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > maxXmlAttributes)
      throw new ElementError(`an element has more than ${maxXmlAttributes} attributes`);
  }

  #text(piece: string): void {
    // Around the root is white space only, as the parser checks.
    if (this.#frames.length > 1) this.#top.text(piece);
  }
}

/** The reader for the next document; undefined while one is read, and after an error. */
let idle: Reader | undefined;

const utf8 = new TextDecoder("utf-8", { fatal: true });

function textIn(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw badXml("the body is not XML in UTF-8", cause);
  }
}

/**
 * Reads a document into frames. Its memory and time are linear in the size of the bytes, which callers limit.
 * @param document the frame around the root element
 * @throws CallError INVALID_ARGUMENT for bytes that are not such XML in UTF-8, and what frames throw; HttpError 413 for too many elements
 */
export function readXml(bytes: Uint8Array, document: Frame): void {
  const text = textIn(bytes);
  const reader = idle ?? new Reader();
  idle = undefined;
  reader.read(text, document);
  idle = reader;
}

/** Characters that are parsed in one turn of the event loop. */
const pieceCharacters = 32 * 1024;

/** Ends with the last large document that waits or is read. */
let documents = Promise.resolve();

/** The same for a large document, in several turns of the event loop, and after those before it: half-read ones take much memory. Rejects with the same errors. */
export async function readXmlInTurns(bytes: Uint8Array, document: Frame): Promise<void> {
  const memory = heldBy(undefined);
  if (!memory.take(bytes.length)) throw memoryExhausted();
  const reading = documents.then(() => readPieces(textIn(bytes), document));
  documents = reading.catch(() => {});
  try {
    await reading;
  } finally {
    memory.giveBack(bytes.length);
  }
}

async function readPieces(text: string, document: Frame): Promise<void> {
  checkElements(text);
  const reader = new Reader();
  reader.begin(document);
  for (let at = 0; at < text.length; at += pieceCharacters) {
    reader.add(text.slice(at, at + pieceCharacters));
    // oxlint-disable-next-line no-await-in-loop -- one piece after the other
    await ownTurn();
  }
  reader.end();
}

/** An element whose content is of no interest. */
export const skipped: Frame = {
  step: "",
  open: () => skipped,
  text: () => undefined,
  close: () => undefined,
  closed: () => undefined,
};
