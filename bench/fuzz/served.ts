// Serves a stack in a process of its own, so that it may crash, and its memory can be measured.
import { fork } from "node:child_process";
import { once } from "node:events";
import { loadStack, serveDefaults, type ServeOptions, type Settings } from "@roundtrip/stacks";

/** How the process serves. */
export interface ServedSettings {
  readonly stackName: string;
  readonly limits: Pick<
    ServeOptions,
    "maxMessageBytes" | "maxConnections" | "maxHeadersMs" | "maxRequestMs" | "maxUnreadMs"
  >;
  readonly settings: Settings;
  /** Whether the process also serves a fake of `hostile/proto/library.proto`. */
  readonly hasLibrary: boolean;
}

/** What the process is asked for. */
export type Question = "memory" | "strain";

/** A message from the process: its addresses, or what it was asked for. */
export type FromServed =
  | { readonly kind: "listening"; readonly url: string; readonly libraryUrl: string | undefined }
  | ({ readonly kind: "memory" } & Memory)
  | ({ readonly kind: "strain" } & Strain);

/** What the latest attack took of a process. */
export interface Strain {
  /**
   * The longest time since this was last asked during which the event loop did not turn, so that nobody else was read or answered: in milliseconds of its
   * thread's processor time, without what other processes took.
   */
  readonly longestTurnMs: number;
  /** The most resident memory since the process began. */
  readonly peakBytes: number;
}

/** The memory of a process after garbage collection. */
export interface Memory {
  /** Used JavaScript heap, and external memory that it references. */
  readonly heapBytes: number;
  /** Resident memory as the kernel counts it, including freed memory that the allocator keeps. */
  readonly residentBytes: number;
  /** The most resident memory so far. */
  readonly peakBytes: number;
}

export interface Served {
  readonly stackName: string;
  readonly style: string;
  readonly url: string;
  /** Of the fake in the same process; undefined without it. */
  readonly libraryUrl: string | undefined;
  memory(): Promise<Memory>;
  strain(): Promise<Strain>;
  /** How the process ended, with its output; undefined while it runs. */
  readonly end: () => string | undefined;
  close(): Promise<void>;
}

/** Small enough for an attack to exceed, and large enough for polite calls to a server that waits for its processor. */
export const smallLimits = {
  maxMessageBytes: 256 * 1024,
  maxConnections: 64,
  maxHeadersMs: 2_000,
  maxRequestMs: 4_000,
  maxUnreadMs: 2_000,
} as const;

/** What servers take by default of one request, and enough connections for attacks that use many. */
export const usualLimits = {
  ...smallLimits,
  maxMessageBytes: serveDefaults.maxMessageBytes,
  maxConnections: 512,
} as const;

/** Settings for servers that declare them. */
export const smallSettings = {
  // The HTTP client closes a connection two seconds before the time that the server announces.
  maxConnectionIdleMs: 3_000,
  // For answers that wait on one connection over gRPC.
  maxUnreadBytes: 8 * 1024 * 1024,
} as const satisfies Settings;

/** Twice all limits that a connection can reach one after the other: one that is still open then will stay open. */
export const longestListenMs =
  2 * (smallLimits.maxRequestMs + smallSettings.maxConnectionIdleMs + smallLimits.maxHeadersMs);

export interface ProcessOptions {
  readonly limits: ServedSettings["limits"];
  /** Whether the process also serves a fake of `hostile/proto/library.proto`. */
  readonly hasLibrary: boolean;
  /**
   * The most that V8's heap may take, in MiB; then the C library has one heap for all threads, too, and gives large blocks back as soon as they are
   * freed. By default, both decide by the machine.
   */
  readonly maxHeapMiB: number;
}

/** Starts a server process, with the small settings that its stack declares. Rejects if it ends before it listens. */
export async function served(
  stackName: string,
  { limits = smallLimits, hasLibrary = false, maxHeapMiB }: Partial<ProcessOptions> = {},
): Promise<Served> {
  const { style, settings: declared } = await loadStack(stackName);
  const known = Object.entries(smallSettings).filter(([name]) => declared.some((setting) => setting.name === name));
  const settings: ServedSettings = { stackName, limits, settings: Object.fromEntries(known), hasLibrary };
  const child = fork(new URL("./processes/served-process.ts", import.meta.url), [JSON.stringify(settings)], {
    execArgv: ["--expose-gc", ...(maxHeapMiB === undefined ? [] : [`--max-heap-size=${maxHeapMiB}`])],
    env: {
      ...process.env,
      ...(maxHeapMiB === undefined ? {} : { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "131072" }),
    },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let written = "";
  child.stderr?.on("data", (chunk: Buffer) => (written = (written + chunk.toString()).slice(-4_000)));
  let end: string | undefined;
  const ended = once(child, "exit").then(([code, signal]: (number | string | null)[]) => {
    end = `the server process ended (${signal ?? code}): ${written}`;
    return end;
  });
  const nextMessage = async (): Promise<FromServed> => {
    const next = once(child, "message").then(([message]) => message as FromServed);
    const message = await Promise.race([next, ended]);
    if (typeof message === "string") throw new Error(message);
    return message;
  };
  const ask = (question: Question): Promise<FromServed> => {
    const answer = nextMessage();
    child.send(question);
    return answer;
  };
  const first = await nextMessage();
  if (first.kind !== "listening") throw new Error("the server process does not report its address");
  return {
    stackName,
    style,
    url: first.url,
    libraryUrl: first.libraryUrl,
    end: () => end,
    async memory() {
      const message = await ask("memory");
      if (message.kind !== "memory") throw new Error("the server process does not report its memory");
      return message;
    },
    async strain() {
      const message = await ask("strain");
      if (message.kind !== "strain") throw new Error("the server process does not report its turns");
      return message;
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
