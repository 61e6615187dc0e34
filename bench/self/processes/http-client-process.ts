// One round of the cost of a call by client library: our REST server in a process of its own, and every client in turns. Prints JSON.
import { Child, processFile } from "@roundtrip/runner/parts";
import type { ServerStarted } from "@roundtrip/runner/measured-process";
import { connectDefaults } from "@roundtrip/stacks";
import { undiciTransport } from "@roundtrip/stacks/undici-transport";
import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";
import { Pool } from "undici";
import { inTurns, type Alternative } from "../in-turns.ts";
import { serverStart } from "../served.ts";

const server = new Child({ file: processFile("server"), enter: [], label: "rest-express server" });
const { url } = await server.ask<ServerStarted>(serverStart("rest-express"));
const path = "/v1/hello?name=World";

function each(call: () => Promise<string>): Alternative {
  return async (times) => {
    for (let time = 0; time < times; time += 1) {
      const answer = await call();
      if (!answer.includes("Hello, World!")) throw new Error(`the answer was ${answer}`);
    }
  };
}

const ours = undiciTransport({ ...connectDefaults, url });
const pool = new Pool(url, { connections: 1 });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const request = { method: "GET", path, headers: {}, body: undefined, timeoutMs: undefined, signal: undefined } as const;

const costs = await inTurns(
  {
    "ours, on undici's dispatch": each(async () => (await ours.send(request)).body.toString()),
    "undici's request": each(async () => (await pool.request({ method: "GET", path })).body.text()),
    "node:http with a keep-alive agent": each(
      () =>
        new Promise((resolve, reject) => {
          get(`${url}${path}`, { agent }, (response) => void text(response).then(resolve, reject)).on("error", reject);
        }),
    ),
    "global fetch": each(async () => (await fetch(`${url}${path}`)).text()),
  },
  { timesPerBlock: 300, warmUpBlocks: 10, blocks: 20 },
);
process.stdout.write(JSON.stringify(costs), () => {
  server.kill();
  process.exit(0);
});
