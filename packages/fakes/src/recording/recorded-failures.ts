// Failures of reads with a mask: who is not there is not there, whatever was to be read of it.
import type { Contract } from "@roundtrip/contract";
import { isObject } from "../files/json-text.ts";
import type { Stub } from "../stubs/stub.ts";

/**
 * The recorded reads that did nothing but fail, as stubs about the same requests with any mask or none. Without INVALID_ARGUMENT, which may
 * be about the mask itself.
 */
export function recordedFailures(contract: Contract, recorded: readonly Stub[]): readonly Stub[] {
  const masks = new Map(contract.operations.map(({ id, readMask }) => [id, readMask]));
  return recorded.flatMap(({ operation, when, answers }): readonly Stub[] => {
    const mask = masks.get(operation);
    if (mask === undefined || !isObject(when)) return [];
    if (!answers.every((answer) => answer.kind === "error" && answer.code !== "INVALID_ARGUMENT")) return [];
    const { [mask.jsonName]: _json, [mask.name]: _proto, ...rest } = when;
    return [{ operation, when: rest, answers }];
  });
}
