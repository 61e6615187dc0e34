// Finds the operation whose name in a style is most like the one that a request gives.
import { nearestName } from "@roundtrip/contract/nearest-name";
import type { Contract, Operation } from "@roundtrip/contract";
import type { NearestOperation } from "../../basics/refusals.ts";

/** How a style names operations: undefined for one that it cannot carry. */
export type AddressOf = (operation: Operation, contract: Contract) => string | undefined;

/** The last part of a name: what people type, while packages are copied. */
function lastPart(address: string): string {
  return address.split(/[./]/).at(-1) ?? address;
}

/** The nearest of all addresses, and of their last parts; undefined if none is similar. */
export function nearestAddress(given: string, contract: Contract, addressOf: AddressOf): NearestOperation | undefined {
  const known = contract.operations.flatMap((operation) => {
    const address = addressOf(operation, contract);
    return address === undefined ? [] : [{ operation: operation.id, address }];
  });
  const exact = known.find(({ address }) => address === given);
  if (exact !== undefined) return exact;
  const nearestPart = nearestName(
    lastPart(given),
    known.map(({ address }) => lastPart(address)),
  );
  const whole = nearestName(
    given,
    known.map(({ address }) => address),
  );
  return (
    known.find(({ address }) => address === whole && lastPart(address) === nearestPart) ??
    known.find(({ address }) => lastPart(address) === nearestPart) ??
    known.find(({ address }) => address === whole)
  );
}

/** The target of a request without its query. */
export function pathOfTarget(target: string): string {
  return (target.replace(/^https?:\/\/[^/?]*/i, "").split("?", 1)[0] ?? "") || "/";
}
