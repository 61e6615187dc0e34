// The operations that a body can call, by their elements.
import type { Contract, Operation } from "@roundtrip/contract";
import { StyleError } from "../../basics/style-error.ts";
import { actionOf, answerElement, requestElement, serviceNamespace } from "../schema/names.ts";
import { messageWriter, type WriteMessage } from "../values/message-writer.ts";

export interface SoapOperation {
  readonly operation: Operation;
  readonly action: string;
  /** Text around the elements of an answer. */
  readonly begin: string;
  readonly end: string;
  readonly write: WriteMessage;
}

/** By `{namespace}element`. Only unary operations: SOAP carries no others. */
export type SoapOperations = ReadonlyMap<string, SoapOperation>;

export function elementKey(uri: string, local: string): string {
  return `{${uri}}${local}`;
}

/** Throws a StyleError if two operations have one element. */
export function soapOperations({ operations }: Contract): SoapOperations {
  const byElement = new Map<string, SoapOperation>();
  for (const operation of operations) {
    const namespace = serviceNamespace(operation);
    const key = elementKey(namespace, requestElement(operation));
    const taken = byElement.get(key)?.operation.id;
    if (taken !== undefined) {
      throw new StyleError("unusable-contract", `${key} is the element of both ${taken} and ${operation.id}`);
    }
    const name = answerElement(operation);
    byElement.set(key, {
      operation,
      action: actionOf(operation),
      begin: `<m:${name} xmlns:m="${namespace}">`,
      end: `</m:${name}>`,
      write: messageWriter(operation.output),
    });
  }
  return byElement;
}
