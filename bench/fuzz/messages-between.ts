// The messages between a test and its server process.
import type { ServeOptions, Settings } from "@roundtrip/stacks";

/** How the process is to serve. */
export interface ServedSettings {
  readonly stackName: string;
  readonly limits: Pick<
    ServeOptions,
    "maxMessageBytes" | "maxConnections" | "maxHeadersMs" | "maxRequestMs" | "maxUnreadMs"
  >;
  readonly settings: Settings;
}

/** What the process says: where it listens, or how much memory it holds after collecting garbage. */
export type FromServed =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "memory"; readonly heapBytes: number; readonly residentBytes: number };
