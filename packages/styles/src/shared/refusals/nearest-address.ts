// Finds the operation whose name in a style is most like the one that a request gives.
import type { Contract, Operation } from "@roundtrip/contract";
import { editDistance } from "@roundtrip/contract/text";
import type { NearestOperation } from "../../basics/refusals.ts";

/** How a style names operations: undefined for one that it cannot carry. */
type AddressOf = (operation: Operation) => string | undefined;

/** How unlike two texts are, 0 to 1. Upper and lower case are the same. */
export function unlikeness(one: string, other: string): number {
  return editDistance(one.toLowerCase(), other.toLowerCase()) / Math.max(one.length, other.length, 1);
}

/** The service, which is mostly copied, and the method, which is mostly typed. */
function partsOf(address: string): readonly [service: string, method: string] {
  const at = Math.max(address.lastIndexOf("/"), address.lastIndexOf("."));
  return [address.slice(0, at + 1), address.slice(at + 1)];
}

/** A wrong package counts less than a method that is entirely different. */
const mostOfService = 0.4;
/** Beyond this, nothing is similar. */
const mostUnlikeness = 0.6;

/** The operation with the nearest address; undefined if none is similar. */
export function nearestAddress(given: string, contract: Contract, addressOf: AddressOf): NearestOperation | undefined {
  const [service, method] = partsOf(given);
  let nearest: NearestOperation | undefined;
  let least = mostUnlikeness;
  for (const operation of contract.operations) {
    const address = addressOf(operation);
    if (address === undefined) continue;
    const [ownService, ownMethod] = partsOf(address);
    const ofService = service === ownService ? 0 : Math.min(mostOfService, unlikeness(service, ownService));
    const cost = ofService + unlikeness(method, ownMethod);
    if (cost >= least) continue;
    least = cost;
    nearest = { operation: operation.id, address };
  }
  return nearest;
}

/** The target of a request without its query. */
export function pathOfTarget(target: string): string {
  return (target.replace(/^https?:\/\/[^/?]*/i, "").split("?", 1)[0] ?? "") || "/";
}
