// One direction of a connection through a relay: data from one socket is sent on the other later, in order, and no faster than that allows.
import type { Socket } from "node:net";

/** Bytes under way before the sender has to wait: more than any window in use here. */
const mostBytes = 16 * 2 ** 20;

type Item =
  | { readonly dueMs: number; readonly kind: "chunk"; readonly chunk: Buffer }
  | { readonly dueMs: number; readonly kind: "end" | "reset" };

export interface DelayLine {
  /** Sends the data that is due. Returns when the next is due; undefined if nothing waits, or the receiver is not ready. */
  deliver(nowMs: number): number | undefined;
}

/** When data that arrives at `nowMs` is due. */
export type DueAt = (nowMs: number) => number;

/** Joins two sockets. Calls `onDue` with each time at which data is due. */
export function delayLine(from: Socket, to: Socket, dueAt: DueAt, onDue: (atMs: number) => void): DelayLine {
  const waiting: Item[] = [];
  let bytes = 0;
  let isFull = false;

  const add = (item: (dueMs: number) => Item): void => {
    const dueMs = dueAt(performance.now());
    waiting.push(item(dueMs));
    onDue(dueMs);
  };
  from.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) from.pause();
    add((dueMs) => ({ dueMs, kind: "chunk", chunk }));
  });
  from.on("end", () => add((dueMs) => ({ dueMs, kind: "end" })));
  from.on("error", () => add((dueMs) => ({ dueMs, kind: "reset" })));
  to.on("drain", () => {
    isFull = false;
    onDue(performance.now());
  });

  function send(item: Item): void {
    if (item.kind === "chunk") {
      bytes -= item.chunk.length;
      isFull = !to.write(item.chunk);
      if (from.isPaused() && bytes <= mostBytes) from.resume();
    } else if (item.kind === "end") to.end();
    else to.resetAndDestroy();
  }

  return {
    deliver(nowMs) {
      let [first] = waiting;
      while (first !== undefined && first.dueMs <= nowMs && !isFull) {
        waiting.shift();
        if (!to.destroyed) send(first);
        [first] = waiting;
      }
      return isFull ? undefined : first?.dueMs;
    },
  };
}
