// The messages between the runner and its processes. Each request gets one answer with its number. Servers of older versions receive them too, so
// messages to servers may gain members, but lose none.
import type { JsonObject } from "@bufbuild/protobuf";
import type { FirstConnection, ProcessEvidence } from "@roundtrip/runs";
import type { RecordedCalls } from "@roundtrip/runs/call-columns";
import type { WarmedArm, WarmUpRule } from "../measure/warm-up.ts";
import type { WarmedUp } from "../measure/warm-up-passes.ts";
import type { Settings } from "@roundtrip/stacks";
import type { ModuleResolutions } from "./module-resolutions.ts";
import type { ServiceSettings } from "../study/configuration.ts";
import type { ContractSource, ServiceSource } from "../study/sources.ts";
import type { Pace } from "../pace/load.ts";
import type { Step } from "../study/study.ts";

export interface ServerStart {
  readonly ask: "start";
  readonly stack: string;
  readonly host: string;
  readonly settings: Settings;
  readonly contract: ContractSource;
  readonly service: ServiceSource;
  readonly services: ServiceSettings;
  readonly tls: { readonly key: string; readonly cert: string } | undefined;
}

/** Asks for the bytes of the live heap, after a forced collection. */
export interface AskHeap {
  readonly ask: "heap";
}

/** `watched` ends watching, and is answered by a ProcessEvidence. */
export type ServerRequest = ServerStart | AskHeap | { readonly ask: "cpu" | "watch" | "watched" | "stop" };

export interface ServerStarted {
  readonly url: string;
}

export interface CpuAnswer {
  readonly cpuMs: number;
}

export interface ClientArm extends WarmedArm {
  readonly id: string;
}

/** Loads everything that a client needs before it has a server. */
export interface AskLoad {
  readonly ask: "load";
  readonly stack: string;
  readonly contract: ContractSource;
  /** The service that it calls in its own process; absent if a server has it. */
  readonly inProcess?: { readonly source: ServiceSource; readonly settings: ServiceSettings } | undefined;
}

export interface ClientStart {
  readonly ask: "start";
  readonly stack: string;
  readonly settings: Settings;
  readonly contract: ContractSource;
  readonly url: string;
  readonly ca: string | undefined;
  /** The environment variable with the bearer token to send; undefined sends none. */
  readonly tokenVariable: string | undefined;
  readonly arms: readonly ClientArm[];
  /** Calls of the largest block. */
  readonly capacity: number;
  /** A server that leaves a call unanswered for longer is given up. */
  readonly answerLimitMs: number;
}

/** The first call of the process, including connection set-up and cold code. */
export interface AskFirstCall {
  readonly ask: "firstCall";
  readonly armId: string;
}

export interface AskSetup {
  readonly ask: "setup";
  readonly steps: readonly Step[];
}

export interface AskAnswers {
  readonly ask: "answers";
  /** Canonical codes of unsupported calls: arms that fail with them are reported as lacking. Absent if every failure is an error. */
  readonly lacks?: readonly string[];
  /** Calls to make before, as {@link AskSetup} does. If one of them is unsupported, so are all arms. */
  readonly setup?: readonly Step[];
}

export interface AskWarmUp {
  readonly ask: "warmUp";
  readonly rule: WarmUpRule;
  /** Other sessions of the process that make the same number of passes, in turn with this one; default: none. */
  readonly inTurnWith?: readonly string[];
}

/** Executes an arm's plan once, untimed, so that its connections have been used. */
export interface AskUse {
  readonly ask: "use";
  readonly armId: string;
}

export interface AskBlock {
  readonly ask: "block";
  readonly armId: string;
  readonly tasks: number;
  /** The schedule of these tasks; absent if each caller begins its next task at once. */
  readonly pace?: Pace | undefined;
}

export type SessionRequest = ClientStart | AskFirstCall | AskSetup | AskAnswers | AskWarmUp | AskUse | AskBlock;

/** Addresses a session: a client has one per server that it calls, two if versions are compared. */
export interface OfSession {
  readonly session: string;
}

export type ClientRequest = AskLoad | (SessionRequest & OfSession) | AskHeap | { readonly ask: "stop" };

export interface FirstCallAnswer extends FirstConnection {
  readonly firstCallMs: number;
  readonly outcome: string;
}

export interface TaskAnswers {
  readonly answers: Readonly<Record<string, JsonObject>>;
  /** The errors of the arms without an answer, by arm. */
  readonly lacking: Readonly<Record<string, string>>;
  readonly responses: number;
}

export interface WarmUpAnswer extends WarmedUp {
  /** How long a task of each arm in a pass will take, estimated. */
  readonly taskMs: Readonly<Record<string, number>>;
}

export interface BlockAnswer {
  readonly rows: RecordedCalls;
  readonly outcomes: readonly string[];
  /** `performance.timeOrigin` of the client, which converts its clock to time of day. */
  readonly timeOriginMs: number;
  readonly elapsedMs: number;
  readonly clientCpuMs: number;
  /** Share of time, 0 to 1, in which the client's event loop was busy, without turn-by-turn waiting. */
  readonly clientUtilisation: number;
  readonly wireBytes: number;
  readonly connectionsOpened: number;
  /** Connections that were open when the block began and were used in it. */
  readonly connectionsReused: number;
  /** Connections that the server closed first, during the block. */
  readonly connectionsClosedByServer: number;
  /** The server's limit of concurrent calls on one HTTP/2 connection; undefined without such a limit. */
  readonly streamsPerConnection: number | undefined;
  readonly client: ProcessEvidence;
}

/** Asks for the port through which a relay's clients reach a server. */
export interface OpenRelay {
  readonly ask: "open";
  readonly host: string;
  readonly port: number;
  readonly rttMs: number;
}

/** `close` names the relay's own port. */
export type RelayRequest = OpenRelay | { readonly ask: "close"; readonly port: number } | { readonly ask: "stop" };

/** The number of a request, which its answer repeats. */
export interface NumberedMessage {
  readonly number: number;
}

/** An answer; a failure keeps its message and code. `resolutions` come with the first one after a process has loaded, if it resolved more modules. */
export type Envelope = NumberedMessage &
  (
    | { readonly ok: true; readonly value: unknown; readonly resolutions?: ModuleResolutions | undefined }
    | { readonly ok: false; readonly message: string; readonly code: string }
  );
