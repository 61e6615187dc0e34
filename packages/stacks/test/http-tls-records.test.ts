// Requests over TLS in several records, on a connection whose last answer is still being sent.
import { fork } from "node:child_process";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { serveDefaults } from "../src/index.ts";
import { serveHttp } from "../src/shared/node-server/http-server.ts";
import { certificate } from "./support/pair.ts";

const times = 5;
const answer = Buffer.alloc(200_000, "x");

function busyForMs(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Sends the whole answer, keeps the process for a while as a busy one is, and only then ends it: Node.js learns late that the bytes are sent. */
const endsLate: RequestListener = (request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-length": answer.length }).write(answer);
    let turns = 8;
    const next = (): void => {
      turns -= 1;
      busyForMs(8);
      if (turns === 0) response.end();
      else setImmediate(next);
    };
    setImmediate(next);
  });
};

test("a request in two TLS records is read whole while the end of the answer before it is being sent", async () => {
  const server = await serveHttp(endsLate, { ...serveDefaults, tls: await certificate });
  onTestFinished(() => server.close());
  const { port } = new URL(server.url);
  const file = fileURLToPath(new URL("support/two-records-process.ts", import.meta.url));
  const caller = fork(file, [port, String(answer.length), String(times)]);
  const [answers] = (await once(caller, "message")) as [number];
  expect(answers).toBe(times);
});
