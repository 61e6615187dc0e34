// The relay's process: accepts clients of servers, and forwards data in both directions half a round trip later.
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { answerQuestions } from "../../processes/answer-questions.ts";
import type { OpenRelay, RelayQuestion } from "../../processes/messages.ts";
import { newAlarm } from "../../basics/alarm.ts";
import { delayLine, type DelayLine } from "./delay-line.ts";

const lines = new Set<DelayLine>();
const alarm = newAlarm((nowMs) => {
  const next = [...lines].flatMap((line) => line.deliver(nowMs) ?? []);
  return next.length === 0 ? undefined : Math.min(...next);
});

/**
 * Joins a client to its server. Over a network the client's handshake takes one round trip, and reaches the server after half of one. Here both
 * connect at once, so their first data is delayed accordingly.
 */
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

answerQuestions((question: RelayQuestion) => {
  switch (question.ask) {
    case "open":
      return open(question);
    case "close":
      servers.get(question.port)?.close();
      servers.delete(question.port);
      return null;
    case "stop":
      return null;
  }
});
