// Envelopes of SOAP 1.1 and 1.2: their versions, and reading them.
import { CallError, type CanonicalCode } from "@roundtrip/contract";
import type { SaxesTagNS } from "saxes";
import { badXml, checkSpace, ElementError, type Frame, readXml, readXmlInTurns, skipped } from "./xml.ts";

// What SOAP 1.1 and SOAP 1.2 spell differently.

export type SoapVersion = "1.1" | "1.2";

export interface SoapDialect {
  readonly version: SoapVersion;
  readonly namespace: string;
  readonly mediaType: string;
  /** The declared type of a body. */
  readonly contentType: string;
  /** The attribute of a header block that names its receiver, and the receivers that this end is. */
  readonly roleAttribute: string;
  readonly ownRoles: ReadonlySet<string>;
  /** Local names of the codes for a fault of the caller and of the server. */
  readonly callerFault: string;
  readonly serverFault: string;
}

export const soap11: SoapDialect = {
  version: "1.1",
  namespace: "http://schemas.xmlsoap.org/soap/envelope/",
  mediaType: "text/xml",
  contentType: "text/xml; charset=utf-8",
  roleAttribute: "actor",
  ownRoles: new Set(["http://schemas.xmlsoap.org/soap/actor/next"]),
  callerFault: "Client",
  serverFault: "Server",
};

export const soap12: SoapDialect = {
  version: "1.2",
  namespace: "http://www.w3.org/2003/05/soap-envelope",
  mediaType: "application/soap+xml",
  contentType: "application/soap+xml; charset=utf-8",
  roleAttribute: "role",
  ownRoles: new Set([
    "http://www.w3.org/2003/05/soap-envelope/role/next",
    "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver",
  ]),
  callerFault: "Sender",
  serverFault: "Receiver",
};

export const dialects: readonly [SoapDialect, SoapDialect] = [soap11, soap12];

/** Text around the content of a body. */
export interface EnvelopeText {
  readonly begin: string;
  readonly end: string;
}

const texts = new Map(
  dialects.map((dialect) => [
    dialect,
    { begin: `<s:Envelope xmlns:s="${dialect.namespace}"><s:Body>`, end: "</s:Body></s:Envelope>" },
  ]),
);

export function envelopeText(dialect: SoapDialect): EnvelopeText {
  return texts.get(dialect) as EnvelopeText;
}

// A CallError of the SOAP processing itself, whose fault has a code of its own.

export type SoapFaultCode = "VersionMismatch" | "MustUnderstand";

export class SoapFaultError extends CallError {
  readonly faultCode: SoapFaultCode;

  constructor(faultCode: SoapFaultCode, code: CanonicalCode, message: string) {
    super(code, message);
    this.faultCode = faultCode;
  }
}

// Reads an envelope: its version, its headers, and the one element of its body.

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

/** The same for a large document, in several turns of the event loop. */
export async function readEnvelopeInTurns(bytes: Uint8Array, reader: EnvelopeReader): Promise<unknown> {
  const document = new DocumentFrame(reader);
  await readXmlInTurns(bytes, document);
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
