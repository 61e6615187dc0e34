// The operations that a body can call, by their elements.
import type { Contract, Operation } from "@roundtrip/contract";
import { StyleError } from "../../basics/style-error.ts";
import { actionOf, answerElement, requestElement, serviceNamespace } from "../schema/names.ts";
import { messageWriter, type WriteMessage } from "../values/message-writer.ts";

export interface SoapOperation {
  readonly operation: Operation;
  readonly action: string;
  /** As callers of SOAP 1.1 write it. */
  readonly quotedAction: string;
  /** Text around the elements of an answer. */
  readonly begin: string;
  readonly end: string;
  readonly write: WriteMessage;
}

/** By the namespace and the name of an element: a key of both would be a new text for each call. */
export type SoapOperations = ReadonlyMap<string, ReadonlyMap<string, SoapOperation>>;

/** Throws a StyleError if two operations have one element. */
export function soapOperations({ operations }: Contract): SoapOperations {
  const byNamespace = new Map<string, Map<string, SoapOperation>>();
  for (const operation of operations) {
    const namespace = serviceNamespace(operation);
    const element = requestElement(operation);
    const byElement = byNamespace.get(namespace) ?? new Map<string, SoapOperation>();
    const taken = byElement.get(element)?.operation.id;
    if (taken !== undefined) {
      const key = `{${namespace}}${element}`;
      throw new StyleError("unusable-contract", `${key} is the element of both ${taken} and ${operation.id}`);
    }
    const name = answerElement(operation);
    const action = actionOf(operation);
    byElement.set(element, {
      operation,
      action,
      quotedAction: `"${action}"`,
      begin: `<m:${name} xmlns:m="${namespace}">`,
      end: `</m:${name}>`,
      write: messageWriter(operation.output),
    });
    byNamespace.set(namespace, byElement);
  }
  return byNamespace;
}
