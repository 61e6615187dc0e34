// Errors of XML that is not of the contract.
import { CallError } from "@roundtrip/contract";

/** What is wrong with an element, before its path is known. */
export class ElementError extends Error {
  override readonly name = "ElementError";
}

/** INVALID_ARGUMENT for a document as a whole. */
export function badXml(description: string, cause?: unknown): CallError {
  return new CallError("INVALID_ARGUMENT", description, {}, cause === undefined ? {} : { cause });
}

/** INVALID_ARGUMENT for an element. @param path of the field, for example `customer.name`; empty for the message itself. */
export function badElement(path: string, { message }: ElementError): CallError {
  if (path === "") return badXml(message);
  const violations = [{ field: path, description: message, reason: "xml" }];
  return new CallError("INVALID_ARGUMENT", `${path}: ${message}`, { violations });
}
