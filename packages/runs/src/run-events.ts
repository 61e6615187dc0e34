// What happened while a run was recorded, as data. Its only texts come from other programs: warnings are made of it when a run is read.

/** How a process of a run ended, or that it gave no answer. */
export interface ProcessEnd {
  /** Such as `base rest-express server` or `k6 instance 2 of 2`. */
  readonly name: string;
  readonly how: "exited" | "killed" | "not-started" | "unreachable" | "stopped" | "silent";
  /** Of `exited`; null where the system reports none. */
  readonly status?: number | null;
  /** Of `killed`, such as `SIGKILL`. */
  readonly signal?: string;
  /** The message of the process, a library or the system; absent or empty without one. */
  readonly text?: string;
}

const endings = {
  exited: ({ status }) => `process ended by itself (exit status ${status})`,
  killed: ({ signal }) => `process ended by itself (${signal})`,
  "not-started": () => "process cannot be started",
  unreachable: () => "process cannot be reached",
  stopped: () => "process was stopped before it began",
  silent: () => "does not answer",
} as const satisfies Record<ProcessEnd["how"], (end: ProcessEnd) => string>;

/** `the rest-express server process ended by itself (exit status 1): Error: out of memory`, for errors and warnings. */
export function processEndText(end: ProcessEnd): string {
  const { name, how, text = "" } = end;
  return `the ${name} ${endings[how](end)}${text === "" ? "" : `: ${text}`}`;
}

/** Why a load generator does not support an arm, in the words after its name. */
const unsupported = {
  protocol: "does not speak its protocol",
  binary: "scripts write requests as text, and these are binary by default",
  xml: "has no reader of XML, so a script could not distinguish faults by their codes, nor check values",
  streams: "does not support streams",
  mixes: "does not support mixes of operations",
  drivers: "cannot replace the load generator that they name",
  networks: "does not support emulated networks",
  tls: "does not support TLS",
  "client-settings": "does not have the settings of Roundtrip's own client",
  "idle-connections": "does not support idle connections",
  "capacity-searches": "cannot measure them, as their rates are known only after a search by bench",
} as const;

export type UnsupportedByGenerator = keyof typeof unsupported;

export type LeftOutReason =
  | { readonly code: "writes-to-target" }
  /** `answer`: its error message. */
  | { readonly code: "unknown-to-base"; readonly answer: string }
  | { readonly code: "no-congestion-control"; readonly name: string; readonly known: readonly string[] }
  | {
      readonly code: "unsupported-by-generator";
      readonly generator: string;
      readonly what: UnsupportedByGenerator;
      /** The client setting, or the other load generator. */
      readonly name?: string;
    };

/** A clause, such as `base does not know it ("unknown field")`. */
export function leftOutReasonText(reason: LeftOutReason): string {
  switch (reason.code) {
    case "writes-to-target":
      return "writes to a server that is not the run's own (--disposable measures it)";
    case "unknown-to-base":
      return `base does not know it ("${reason.answer}")`;
    case "no-congestion-control":
      return `this kernel has no congestion control "${reason.name}" (it has ${reason.known.join(", ")})`;
    case "unsupported-by-generator":
      return `${reason.generator} ${unsupported[reason.what]}${reason.name === undefined ? "" : ` (${reason.name})`}`;
  }
}

/** Arms without results, all for one reason. */
export interface LeftOutArms {
  readonly kind: "left-out";
  readonly reason: LeftOutReason;
  /** Their number: the work below may be that of several. */
  readonly arms: number;
  readonly work: readonly { readonly study: string; readonly task: string; readonly title: string }[];
}

/** The most tasks and stacks to name; more of them are only counted. */
const mostNamed = 3;

function named(names: readonly string[], noun: string): string {
  const distinct = [...new Set(names)];
  return distinct.length > mostNamed ? `${distinct.length} ${noun}` : distinct.join(", ");
}

/** `2 arms (facade write over REST) left out: base does not know it ("unknown field")`, for errors and warnings. */
export function leftOutText({ arms, work, reason }: LeftOutArms): string {
  const tasks = work.map(({ study, task }) => (study === task ? task : `${study} ${task}`));
  const titles = work.map(({ title }) => title);
  const what = `${named(tasks, "tasks")} over ${named(titles, "stacks")}`;
  return `${arms === 1 ? "1 arm" : `${arms} arms`} (${what}) left out: ${leftOutReasonText(reason)}`;
}

/** A block whose calls were not all made, or not all once. */
export interface VoidCalls {
  readonly armId: string;
  readonly calls: number;
  readonly missing: number;
  readonly doubled: number;
}

/** Rounds are 0-based. */
export type RunEvent =
  /** The calls were made elsewhere, and only their results were read. */
  | { readonly kind: "imported" }
  | LeftOutArms
  /** A server that ended, or a client that was killed, while a round was measured. */
  | {
      readonly kind: "process-ended";
      readonly round: number;
      readonly role: "server" | "client";
      readonly end: ProcessEnd;
      readonly blocksLeftOut: number;
    }
  /** A round that ended before anything was timed, and was not repeated. */
  | { readonly kind: "round-lost"; readonly round: number; readonly end: ProcessEnd }
  /** An instance of a load generator ended: the later calls of its segment are lost. */
  | { readonly kind: "generator-ended"; readonly round: number; readonly end: ProcessEnd }
  /** The instances of a load generator did not begin together: the calls of the round are left out. */
  | {
      readonly kind: "instances-apart";
      readonly round: number;
      readonly skewMs: number;
      /** The segments that began first and last. */
      readonly first: string;
      readonly last: string;
    }
  | { readonly kind: "void-calls"; readonly round: number; readonly blocks: readonly VoidCalls[] }
  /** The last line of a load generator's results is incomplete. Its number is 1-based. */
  | { readonly kind: "results-cut"; readonly file: string; readonly line: number };
