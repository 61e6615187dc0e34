// One round of the cost of the HTTP/2 window for a large answer over a distance: with the default window of Node.js, with 4 MiB, and over HTTP/1.1,
// which has none. Prints JSON.
import { once } from "node:events";
import { Agent, createServer as createHttpServer, get } from "node:http";
import { connect, createServer, type ClientHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { delayRelay } from "../delay-relay.ts";
import { inTurns, type Alternative } from "../in-turns.ts";

const body = Buffer.alloc(277_000);
const delayMs = 10;
const windowBytes = 4 * 1024 * 1024;

const http2Server = createServer();
http2Server.on("stream", (stream) => {
  stream.respond({ ":status": 200 });
  stream.end(body);
});
const httpServer = createHttpServer((_request, response) => response.end(body));
await Promise.all([
  once(http2Server.listen(0, "127.0.0.1"), "listening"),
  once(httpServer.listen(0, "127.0.0.1"), "listening"),
]);

async function originOf(server: { address(): AddressInfo | string | null }): Promise<string> {
  return `http://127.0.0.1:${await delayRelay((server.address() as AddressInfo).port, delayMs)}`;
}

async function sessionOf(settings: { readonly initialWindowSize?: number }): Promise<ClientHttp2Session> {
  const session = connect(await originOf(http2Server), { settings });
  await once(session, "connect");
  if (settings.initialWindowSize !== undefined) session.setLocalWindowSize(settings.initialWindowSize);
  return session;
}

function each(call: () => Promise<Buffer>): Alternative {
  return async (times) => {
    for (let time = 0; time < times; time += 1) {
      const { length } = await call();
      if (length !== body.length) throw new Error(`the answer had ${length} bytes`);
    }
  };
}

const asItComes = await sessionOf({});
const wide = await sessionOf({ initialWindowSize: windowBytes });
const agent = new Agent({ keepAlive: true });
const origin = await originOf(httpServer);

const costs = await inTurns(
  {
    "HTTP/2, the window of Node.js": each(() => buffer(asItComes.request())),
    "HTTP/2, a window of 4 MiB": each(() => buffer(wide.request())),
    "HTTP/1.1": each(
      () =>
        new Promise((resolve, reject) => {
          get(origin, { agent }, (response) => void buffer(response).then(resolve, reject)).on("error", reject);
        }),
    ),
  },
  { timesPerBlock: 2, warmUpBlocks: 2, blocks: 5 },
);
process.stdout.write(JSON.stringify(costs), () => process.exit(0));
