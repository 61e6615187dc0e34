// Times single calls and notes each of them: the clock is read right before a call and right after, and everything else happens outside the two.
import type { Message } from "@bufbuild/protobuf";
import type { Recorder } from "./recorder.ts";
import type { WireMeter } from "./wire-meter.ts";
import { CallError } from "@roundtrip/contract";

/** Of a call that found no socket on the client's machine. */
const noSocket = "NO_SOCKET";

/**
 * What clients say of connections that the machine refuses to begin: too many open files in the process or the system, no local port that is
 * left, no memory for buffers. Errors of servers that cannot be reached have other codes, and no "connect".
 */
const refusedHere = /^no answer from \S+: .*\bconnect (?:EMFILE|ENFILE|EADDRNOTAVAIL|ENOBUFS)\b/;

/** The outcome of a call that rejected with this. */
export function outcomeOf(thrown: unknown): string {
  const { code, message } = CallError.from(thrown);
  return code === "UNAVAILABLE" && refusedHere.test(message) ? noSocket : code;
}

/** Where a timed execution writes. */
export interface Notebook {
  readonly recorder: Recorder;
  readonly meter: WireMeter;
  /** Index of an outcome by name, growing as outcomes are seen; OK is 0. */
  readonly outcomes: string[];
}

/** What times the calls of an execution. `intendedAtMs` is when a call was to begin; NaN for now. */
export interface CallTimer {
  /** One call. Resolves to its row; a failure is noted by its code, never thrown. */
  readonly timed: (task: number, step: number, intendedAtMs: number, call: () => Promise<unknown>) => Promise<number>;
  /** One stream of answers, which is read to its end, and nothing of it kept. */
  readonly timedStream: (
    task: number,
    step: number,
    intendedAtMs: number,
    open: () => AsyncIterable<Message>,
  ) => Promise<void>;
  /** Notes a task that was not begun. */
  readonly refuse: (task: number, intendedAtMs: number) => void;
}

/** The outcome of a task that was not begun. It is no canonical code: no server has a part in it. */
const notSent = "NOT_SENT";

function indexOf(code: string, outcomes: string[]): number {
  const known = outcomes.indexOf(code);
  return known === -1 ? outcomes.push(code) - 1 : known;
}

/** @param pauseMs a stream of answers pauses where nothing comes for longer than this. */
export function makeCallTimer({ recorder, meter, outcomes }: Notebook, pauseMs: number): CallTimer {
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
    const row = recorder.note(task, step, startedAt, endedAt);
    recorder.noteEnd(row, outcome, meter.bytesWritten, meter.bytesRead);
    if (!Number.isNaN(intendedAtMs)) recorder.noteIntended(row, intendedAtMs);
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
        recorder.noticeMessage();
      }
    });
    recorder.noteStream(row, firstAt, pauses);
  };

  const refuse: CallTimer["refuse"] = (task, intendedAtMs) => {
    const at = now();
    const row = recorder.note(task, 0, at, at);
    recorder.noteEnd(row, indexOf(notSent, outcomes), meter.bytesWritten, meter.bytesRead);
    recorder.noteIntended(row, intendedAtMs);
  };

  return { timed, timedStream, refuse };
}
