// Converts errors to SOAP faults and back. A fault has few codes, so its detail carries the canonical one.
import {
  CallError,
  canonicalCodes,
  ClientSideError,
  codeFromHttp,
  isCanonicalCode,
  type CanonicalCode,
} from "@roundtrip/contract";
import type { WriteFaultBody } from "../shared/http/http-service.ts";
import type { HttpResponse } from "../shared/http/client.ts";
import { STATUS_CODES } from "../shared/error-details.ts";
import { readEnvelope, SoapFaultError, envelopeText, soap11, type SoapDialect } from "./envelope.ts";
import { childNamed, textOf, TreeFrame, type ElementTree, errorNamespace, escapedAnyText } from "./xml.ts";

const firstServerStatus = 500;

/** Whether the caller is at fault, by the HTTP status that stands for the code. */
function isCallersFault(code: CanonicalCode): boolean {
  return canonicalCodes[code].http < firstServerStatus;
}

/** The HTTP status of a fault: SOAP 1.1 has 500 for each (section 6.2), SOAP 1.2 has 400 for a fault of the caller (part 2, table 20). */
export function statusOf(error: CallError, { version }: SoapDialect): number {
  const isOfProcessing = error instanceof SoapFaultError;
  return version === "1.2" && !isOfProcessing && isCallersFault(error.code) ? 400 : 500;
}

function element(name: string, text: string): string {
  return text === "" ? "" : `<${name}>${escapedAnyText(text)}</${name}>`;
}

/** The detail of a fault, as the schema of errors has it. */
function detailText({ code, details }: CallError): string {
  const entries = Object.entries(details.metadata).map(
    ([key, value]) => `<metadata><key>${escapedAnyText(key)}</key><value>${escapedAnyText(value)}</value></metadata>`,
  );
  const violations = details.violations.map(
    ({ field, description, reason }) =>
      `<violations>${element("field", field)}${element("description", description)}${element("reason", reason)}</violations>`,
  );
  return [
    `<e:Error xmlns:e="${errorNamespace}"><code>${code}</code>`,
    element("reason", details.reason),
    element("domain", details.domain),
    ...entries,
    ...violations,
    "</e:Error>",
  ].join("");
}

function faultCodeOf(error: CallError, { callerFault, serverFault }: SoapDialect): string {
  if (error instanceof SoapFaultError) return error.faultCode;
  return isCallersFault(error.code) ? callerFault : serverFault;
}

export function faultText(error: CallError, dialect: SoapDialect): string {
  const { begin, end } = envelopeText(dialect);
  const code = `s:${faultCodeOf(error, dialect)}`;
  const message = escapedAnyText(error.message);
  if (dialect.version === "1.1") {
    const parts = `<faultcode>${code}</faultcode><faultstring>${message}</faultstring>`;
    return `${begin}<s:Fault>${parts}<detail>${detailText(error)}</detail></s:Fault>${end}`;
  }
  const subcode = `<s:Subcode><s:Value xmlns:e="${errorNamespace}">e:${error.code}</s:Value></s:Subcode>`;
  const parts = `<s:Code><s:Value>${code}</s:Value>${subcode}</s:Code>`;
  const reason = `<s:Reason><s:Text xml:lang="en">${message}</s:Text></s:Reason>`;
  return `${begin}<s:Fault>${parts}${reason}<s:Detail>${detailText(error)}</s:Detail></s:Fault>${end}`;
}

/** The body of an answer to a request that the HTTP library refuses, before its version is known. */
export const writeFault: WriteFaultBody = (error) => ({ type: soap11.contentType, text: faultText(error, soap11) });

function detailsIn(tree: ElementTree): CallError["details"] {
  const named = (name: string) => tree.children.filter(({ local }) => local === name);
  return {
    reason: textOf(tree, "reason"),
    domain: textOf(tree, "domain"),
    metadata: Object.fromEntries(named("metadata").map((entry) => [textOf(entry, "key"), textOf(entry, "value")])),
    violations: named("violations").map((violation) => ({
      field: textOf(violation, "field"),
      description: textOf(violation, "description"),
      reason: textOf(violation, "reason"),
    })),
  };
}

/** The error in a fault: the server's, or one for the HTTP status if its detail has no canonical code. */
export function errorInFault(fault: ElementTree, status: number): CallError {
  const message = textOf(fault, "faultstring") || textOf(childNamed(fault, "Reason"), "Text");
  const detail = childNamed(fault, "detail") ?? childNamed(fault, "Detail");
  const error = detail?.children.find(({ local, uri }) => local === "Error" && uri === errorNamespace);
  const code = textOf(error, "code");
  if (error === undefined || !isCanonicalCode(code)) {
    return new CallError(foreignCode(fault, status), `SOAP fault: ${message}`);
  }
  return new CallError(code, message, detailsIn(error));
}

function foreignCode(fault: ElementTree, status: number): CanonicalCode {
  const named = textOf(fault, "faultcode") || textOf(childNamed(fault, "Code"), "Value");
  const local = named.slice(named.indexOf(":") + 1).split(".")[0];
  if (local === "Client" || local === "Sender") return "INVALID_ARGUMENT";
  return local === "MustUnderstand" ? "UNIMPLEMENTED" : codeFromHttp(status);
}

export function errorOf({ status, body }: Pick<HttpResponse, "status" | "body">): CallError {
  try {
    const fault = readEnvelope(body, { openBody: (tag) => new TreeFrame(tag), checkVersion: () => undefined });
    if ((fault as ElementTree).local === "Fault") return errorInFault(fault as ElementTree, status);
  } catch {
    // Not SOAP: the status says what it can.
  }
  return new ClientSideError(codeFromHttp(status), `HTTP ${status}: ${STATUS_CODES[status] ?? "Error"}`);
}
