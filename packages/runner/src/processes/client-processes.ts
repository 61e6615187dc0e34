// The client processes of a part of a round: one per server, shared by both versions of a server, so that differences between client processes do not
// count as differences between versions.
import type { Configuration } from "../study/configuration.ts";
import { Child, processFile } from "./child.ts";

export class ClientProcesses {
  readonly #started = new Map<string, Child>();

  /** The process that calls the server of this configuration, started on first use. @param enter see {@link ChildOptions}. */
  of({ versionlessId, stack }: Configuration, enter: readonly string[]): Child {
    const known = this.#started.get(versionlessId);
    if (known !== undefined) return known;
    const file = processFile("client");
    const child = new Child({ file, enter, label: `${versionlessId} client`, loads: `${stack} client` });
    this.#started.set(versionlessId, child);
    return child;
  }
}
