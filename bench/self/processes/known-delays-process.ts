// A server with known delays: it answers a line that names a delay after that delay, with the milliseconds by the clock of this process.
import { answerRequests, type ServerRequest, type ServerStarted } from "@roundtrip/runner/parts";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { newDelays, stayAwake } from "../known-delays.ts";

const delay = newDelays();
const server = createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => socket.destroy());
  createInterface(socket).on("line", (line) => {
    // "17 for 20" is answered by "17 20.01": the number is repeated.
    const [id = "", ...name] = line.split(" ");
    void delay(name.join(" ")).then((tookMs) => socket.write(`${id} ${tookMs}\n`));
  });
});

async function start(): Promise<ServerStarted> {
  stayAwake();
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

answerRequests(({ ask }: ServerRequest) => (ask === "start" ? start() : void server.close()));
