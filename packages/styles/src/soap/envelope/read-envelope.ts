// Reads an envelope: its version, its headers, and the one element of its body.
import type { SaxesTagNS } from "saxes";
import { badXml, ElementError } from "../xml/element-error.ts";
import { checkSpace, readXml, skipped, type Frame } from "../xml/read-xml.ts";
import { SoapFaultError } from "./soap-fault.ts";
import { dialects, type SoapDialect } from "./soap-version.ts";

export interface EnvelopeReader {
  /** The frame of the body's element. Throws an ElementError or a CallError for an unknown one. */
  openBody(tag: SaxesTagNS, dialect: SoapDialect): Frame;
  /** Throws an error for an envelope of a version that is not expected. */
  checkVersion(dialect: SoapDialect): void;
}

function attributeOf({ attributes }: SaxesTagNS, uri: string, name: string): string | undefined {
  for (const key in attributes) {
    const found = attributes[key] as (typeof attributes)[string];
    if (found.uri === uri && found.local === name) return found.value;
  }
  return undefined;
}

/** Reads a document of one envelope. Returns the value of the body's element. Throws CallErrors. */
export function readEnvelope(bytes: Uint8Array, reader: EnvelopeReader): unknown {
  const document = new DocumentFrame(reader);
  readXml(bytes, document);
  return document.value;
}

class DocumentFrame implements Frame {
  readonly step = "";
  readonly #reader: EnvelopeReader;
  value: unknown;

  constructor(reader: EnvelopeReader) {
    this.#reader = reader;
  }

  open({ local, uri }: SaxesTagNS): Frame {
    const dialect = dialects.find(({ namespace }) => namespace === uri);
    if (local !== "Envelope") throw badXml(`the root element must be a SOAP envelope, got ${local}`);
    if (dialect === undefined) {
      throw new SoapFaultError("VersionMismatch", "INVALID_ARGUMENT", `${uri} is neither SOAP 1.1 nor SOAP 1.2`);
    }
    this.#reader.checkVersion(dialect);
    return new EnvelopeFrame(this.#reader, dialect);
  }

  text(): void {
    // The parser allows only white space here.
  }

  close(): unknown {
    return undefined;
  }

  closed(value: unknown): void {
    this.value = value;
  }
}

class EnvelopeFrame implements Frame {
  readonly step = "";
  readonly #reader: EnvelopeReader;
  readonly #dialect: SoapDialect;
  #hasHeader = false;
  #body: BodyFrame | undefined;

  constructor(reader: EnvelopeReader, dialect: SoapDialect) {
    this.#reader = reader;
    this.#dialect = dialect;
  }

  open({ local, uri }: SaxesTagNS): Frame {
    const isOwn = uri === this.#dialect.namespace && this.#body === undefined;
    if (isOwn && local === "Header" && !this.#hasHeader) {
      this.#hasHeader = true;
      return new HeaderFrame(this.#dialect);
    }
    if (isOwn && local === "Body") return (this.#body = new BodyFrame(this.#reader, this.#dialect));
    throw new ElementError(`an envelope has at most one header and one body, in this order, and no ${local} here`);
  }

  text(text: string): void {
    checkSpace(text);
  }

  close(): unknown {
    if (this.#body === undefined) throw new ElementError("the envelope has no body");
    return this.#body.value;
  }

  closed(): void {
    // The body keeps its value.
  }
}

/** Header blocks that must be understood are refused: this project defines none. */
class HeaderFrame implements Frame {
  readonly step = "";
  readonly #dialect: SoapDialect;

  constructor(dialect: SoapDialect) {
    this.#dialect = dialect;
  }

  open(tag: SaxesTagNS): Frame {
    const { namespace, roleAttribute, ownRoles } = this.#dialect;
    const must = attributeOf(tag, namespace, "mustUnderstand")?.trim();
    const role = attributeOf(tag, namespace, roleAttribute) ?? "";
    const isForUs = role === "" || ownRoles.has(role);
    if ((must === "1" || must === "true") && isForUs) {
      throw new SoapFaultError(
        "MustUnderstand",
        "UNIMPLEMENTED",
        `the header ${tag.local} of ${tag.uri} is not understood`,
      );
    }
    return skipped;
  }

  text(text: string): void {
    checkSpace(text);
  }

  close(): unknown {
    return undefined;
  }

  closed(): void {
    // Headers have no values.
  }
}

class BodyFrame implements Frame {
  readonly step = "";
  readonly #reader: EnvelopeReader;
  readonly #dialect: SoapDialect;
  #hasElement = false;
  value: unknown;

  constructor(reader: EnvelopeReader, dialect: SoapDialect) {
    this.#reader = reader;
    this.#dialect = dialect;
  }

  open(tag: SaxesTagNS): Frame {
    if (this.#hasElement) throw new ElementError("the body must have one element, and has more");
    this.#hasElement = true;
    return this.#reader.openBody(tag, this.#dialect);
  }

  text(text: string): void {
    checkSpace(text);
  }

  close(): unknown {
    if (!this.#hasElement) throw new ElementError("the body has no element");
    return undefined;
  }

  closed(value: unknown): void {
    this.value = value;
  }
}
