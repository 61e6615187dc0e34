// The client of a server with known delays: one TCP connection, a line per call, and no protocol overhead.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, type Client } from "@roundtrip/contract";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

export async function lineClient(url: string): Promise<Client> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), noDelay: true });
  await once(socket, "connect");
  const waiting = new Map<string, (answer: Message) => void>();
  let calls = 0;
  createInterface(socket).on("line", (line) => {
    const [id = "", message = ""] = line.split(" ");
    waiting.get(id)?.(create(SayHelloResponseSchema, { message }));
    waiting.delete(id);
  });
  return {
    contract: builtInContract(),
    prepare: () => (request) =>
      new Promise((resolve) => {
        const id = String((calls += 1));
        waiting.set(id, resolve);
        socket.write(`${id} ${(request as Message & { readonly name: string }).name}\n`);
      }),
    prepareStream: () => () => Readable.from([]),
    prepareTogether: () => () => Promise.resolve([]),
    async close() {
      socket.destroy();
      await Promise.resolve();
    },
  };
}
