// How much a session may keep: whoever can call a fake can fill it.
import { CallError } from "@roundtrip/contract";

const maxResources = 20_000;
const maxBytes = 32 * 1024 * 1024;

/** What is taken and given back of a session's room. */
export class Room {
  #resources = 0;
  #bytes = 0;

  /** Throws RESOURCE_EXHAUSTED, and takes nothing then. */
  take(resources: number, bytes: number): void {
    if (resources > 0 && this.#resources + resources > maxResources) {
      throw new CallError("RESOURCE_EXHAUSTED", `no room for more than ${maxResources} resources`);
    }
    if (bytes > 0 && this.#bytes + bytes > maxBytes) {
      throw new CallError("RESOURCE_EXHAUSTED", `no room for resources of more than ${maxBytes} bytes`);
    }
    this.#resources += resources;
    this.#bytes += bytes;
  }

  /** Whether there is room for this many more. */
  hasRoomFor(resources: number): boolean {
    return this.#resources + resources <= maxResources;
  }
}
