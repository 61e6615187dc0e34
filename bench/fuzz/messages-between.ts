// The messages between a test and its server process.
import type { ServeOptions, Settings } from "@roundtrip/stacks";

/** How the process serves. */
export interface ServedSettings {
  readonly stackName: string;
  readonly limits: Pick<
    ServeOptions,
    "maxMessageBytes" | "maxConnections" | "maxHeadersMs" | "maxRequestMs" | "maxUnreadMs"
  >;
  readonly settings: Settings;
}

/** A message from the process: its address, or its memory after garbage collection. */
export type FromServed =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "memory"; readonly heapBytes: number; readonly residentBytes: number };
