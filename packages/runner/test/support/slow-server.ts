// A server of known delay on a real socket, and a client of it: every request has ten bytes, every answer seven, and the server notes when it had the
// one and sent the other, by the clock that calls are timed with.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, CallError, type Client } from "@roundtrip/contract";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";

export const requestBytes = 10;
export const answerBytes = 7;

/** What the server does with a connection: keeps it, closes it after each answer, or closes it in place of the answer. */
export type Manner = "keeps" | "closes" | "fails";

interface Served {
  readonly receivedAtMs: number;
  readonly answeredAtMs: number;
}

export interface SlowServer extends AsyncDisposable {
  /** In the order in which they were answered. */
  readonly served: Served[];
  /** May change between calls. */
  manner: Manner;
  readonly port: number;
}

export async function slowServer(delayMs: number, manner: Manner = "keeps"): Promise<SlowServer> {
  const sockets = new Set<Socket>();
  const answer = async (socket: Socket): Promise<void> => {
    const receivedAtMs = performance.now();
    await setTimeout(delayMs);
    running.served.push({ receivedAtMs, answeredAtMs: performance.now() });
    if (running.manner === "fails") socket.destroy();
    else if (running.manner === "closes") socket.end(Buffer.alloc(answerBytes));
    else socket.write(Buffer.alloc(answerBytes));
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("data", () => void answer(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const running: SlowServer = {
    served: [],
    manner,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return running;
}

/** Keeps its connection for as long as the server does, and has one for each call that is under way. */
export function slowClient(server: SlowServer): Client {
  const idle: Socket[] = [];
  const call = async (): Promise<Message> => {
    const socket = idle.pop() ?? connect(server.port, "127.0.0.1");
    socket.write(Buffer.alloc(requestBytes));
    const isAnswered = await new Promise<boolean>((resolve) => {
      socket.once("data", () => resolve(true)).once("close", () => resolve(false));
    });
    if (!isAnswered) throw new CallError("UNAVAILABLE", "the server closed the connection");
    if (server.manner === "keeps") idle.push(socket);
    else if (!socket.closed) await once(socket, "close");
    return create(SayHelloResponseSchema, { message: "Hello!" });
  };
  const stream = async function* (): AsyncGenerator<Message> {
    yield await call();
  };
  return {
    contract: builtInContract(),
    prepare: () => call,
    prepareStream: () => stream,
    prepareTogether: (operations) => async () => {
      const answer = await call();
      return operations.map(() => answer);
    },
    close: async () => idle.forEach((socket) => socket.destroy()),
  };
}
