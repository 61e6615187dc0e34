// The quota of a session, since anyone who can call a fake can fill its memory.
import { CallError } from "@roundtrip/contract";

const maxResources = 20_000;
const maxBytes = 32 * 1024 * 1024;

/** Counts the resources and bytes of a session. */
export class SessionQuota {
  #resources = 0;
  #bytes = 0;

  /** Adds resources and bytes, or throws RESOURCE_EXHAUSTED and changes nothing. */
  take(resources: number, bytes: number): void {
    if (resources > 0 && this.#resources + resources > maxResources) {
      throw new CallError(
        "RESOURCE_EXHAUSTED",
        `the session has the maximum of ${maxResources} resources: delete some or start a new session`,
      );
    }
    if (bytes > 0 && this.#bytes + bytes > maxBytes) {
      throw new CallError(
        "RESOURCE_EXHAUSTED",
        `the resources of the session exceed ${maxBytes} bytes: delete some or start a new session`,
      );
    }
    this.#resources += resources;
    this.#bytes += bytes;
  }
}
