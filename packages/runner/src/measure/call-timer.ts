// Times and records single calls. The clock is read right before and right after a call; everything else happens outside.
import type { Message } from "@bufbuild/protobuf";
import type { Recorder } from "./recorder.ts";
import type { WireMeter } from "./client-connections.ts";
import { CallError } from "@roundtrip/contract";

/** The outcome of a call that got no socket on the client's machine. */
const noSocket = "NO_SOCKET";

/**
 * Client messages about connections that the machine refuses to open: too many open files in the process or system, no free local port, no memory for
 * buffers. Errors about unreachable servers have other codes, and no "connect".
 */
const refusedHere = /^no answer from \S+: .*\bconnect (?:EMFILE|ENFILE|EADDRNOTAVAIL|ENOBUFS)\b/;

export function outcomeOf(thrown: unknown): string {
  const { code, message } = CallError.from(thrown);
  return code === "UNAVAILABLE" && refusedHere.test(message) ? noSocket : code;
}

/** Where a timed execution records calls. */
export interface CallLog {
  readonly recorder: Recorder;
  readonly meter: WireMeter;
  /** Outcomes by index, extended as new ones occur; OK is 0. */
  readonly outcomes: string[];
}

/** Times the calls of an execution. `intendedAtMs` is when a call was to begin; NaN for now. */
export interface CallTimer {
  /** Makes one call. Resolves to its row; a failure is recorded by its code, never thrown. */
  readonly timed: (task: number, step: number, intendedAtMs: number, call: () => Promise<unknown>) => Promise<number>;
  /** Reads one stream of answers to its end and keeps nothing of it. */
  readonly timedStream: (
    task: number,
    step: number,
    intendedAtMs: number,
    open: () => AsyncIterable<Message>,
  ) => Promise<void>;
  /** Records a task that was not begun. */
  readonly refuse: (task: number, intendedAtMs: number) => void;
}

/** The outcome of a task that was not begun. It is not a canonical code, because no server was involved. */
const notSent = "NOT_SENT";

function indexOf(code: string, outcomes: string[]): number {
  const known = outcomes.indexOf(code);
  return known === -1 ? outcomes.push(code) - 1 : known;
}

/** @param pauseMs the shortest gap in a stream of answers that counts as a pause. */
export function makeCallTimer({ recorder, meter, outcomes }: CallLog, pauseMs: number): CallTimer {
  const now = performance.now.bind(performance);

  const timed: CallTimer["timed"] = async (task, step, intendedAtMs, call) => {
    let outcome = 0;
    let endedAt: number;
    const startedAt = now();
    try {
      await call();
      endedAt = now();
    } catch (thrown) {
      endedAt = now();
      outcome = indexOf(outcomeOf(thrown), outcomes);
    }
    const row = recorder.record(task, step, startedAt, endedAt);
    recorder.recordEnd(row, outcome, meter.bytesWritten, meter.bytesRead);
    if (!Number.isNaN(intendedAtMs)) recorder.recordIntended(row, intendedAtMs);
    return row;
  };

  const timedStream: CallTimer["timedStream"] = async (task, step, intendedAtMs, open) => {
    let firstAt = Number.NaN;
    let lastAt = Number.POSITIVE_INFINITY;
    let pauses = 0;
    const row = await timed(task, step, intendedAtMs, async () => {
      for await (const _ of open()) {
        const at = now();
        if (at - lastAt > pauseMs) pauses += 1;
        else if (lastAt === Number.POSITIVE_INFINITY) firstAt = at;
        lastAt = at;
        recorder.countMessage();
      }
    });
    recorder.recordStream(row, firstAt, pauses);
  };

  const refuse: CallTimer["refuse"] = (task, intendedAtMs) => {
    const at = now();
    const row = recorder.record(task, 0, at, at);
    recorder.recordEnd(row, indexOf(notSent, outcomes), meter.bytesWritten, meter.bytesRead);
    recorder.recordIntended(row, intendedAtMs);
  };

  return { timed, timedStream, refuse };
}
