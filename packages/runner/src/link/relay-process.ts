// The relay's process: accepts clients of servers, and forwards data in both directions half a round trip later.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { newAlarm } from "../basics/alarm.ts";
import { answerRequests } from "../processes/answer-requests.ts";
import type { OpenRelay, RelayRequest } from "../processes/messages.ts";

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

const lines = new Set<DelayLine>();
const alarm = newAlarm((nowMs) => {
  const next = [...lines].flatMap((line) => line.deliver(nowMs) ?? []);
  return next.length === 0 ? undefined : Math.min(...next);
});

/** Joins a client to its server. Over a network its handshake takes a round trip; here both connect at once, so their first data waits as long. */
function join(client: Socket, server: { readonly host: string; readonly port: number }, rttMs: number): void {
  const far = connect({ ...server, noDelay: true, allowHalfOpen: true });
  const connectedMs = performance.now() + rttMs;
  const there = delayLine(client, far, (nowMs) => Math.max(nowMs, connectedMs) + rttMs / 2, alarm.set);
  const back = delayLine(far, client, (nowMs) => Math.max(nowMs, connectedMs + rttMs / 2) + rttMs / 2, alarm.set);
  lines.add(there).add(back);
  far.on("close", () => lines.delete(there));
  client.on("close", () => lines.delete(back));
}

const servers = new Map<number, Server>();

async function open({ host, port, rttMs }: OpenRelay): Promise<number> {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => join(client, { host, port }, rttMs));
  await once(server.listen(0, host), "listening");
  const { port: own } = server.address() as AddressInfo;
  servers.set(own, server);
  return own;
}

answerRequests((request: RelayRequest) => {
  switch (request.ask) {
    case "open":
      return open(request);
    case "close":
      servers.get(request.port)?.close();
      servers.delete(request.port);
      return null;
    case "stop":
      return null;
  }
});
