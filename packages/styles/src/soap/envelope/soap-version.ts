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
