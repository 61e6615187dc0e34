// Captures what a stack's own client sends, by letting it call a server that only listens.
import { createServer, type IncomingMessage, request as requestHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { request as requestHttps } from "node:https";
import { jsonIn } from "@roundtrip/contract";
import { RunnerError } from "../basics/runner-error.ts";

export interface CapturedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A server that answers nothing. */
export interface Capture extends AsyncDisposable {
  /** Its origin, to call instead of a server's. */
  readonly origin: string;
  /** Makes one call and returns the request that arrived, however the call ends. Calls must not overlap. */
  requestOf(call: () => Promise<unknown>): Promise<CapturedRequest>;
}

// A sender of the captured request sets these headers itself.
const ownedBySender = new Set(["host", "connection", "content-length", "transfer-encoding", "keep-alive"]);

async function read(request: IncomingMessage): Promise<CapturedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === "string" && !ownedBySender.has(name) ? [[name, value] as const] : [],
  );
  return {
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
  };
}

export async function openCapture(): Promise<Capture> {
  let arrived = Promise.withResolvers<CapturedRequest>();
  const server = createServer((request, response) => {
    const { resolve, reject } = arrived;
    read(request)
      .then(resolve, reject)
      .finally(() => response.writeHead(503).end())
      .catch(reject);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async requestOf(call) {
      arrived = Promise.withResolvers();
      // The call fails in any case; if it fails before it sent anything, its error is reported.
      const failed = call().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      const { promise } = arrived;
      const captured = await Promise.race([
        promise,
        failed.then((thrown) => setTimeout(1_000).then(() => Promise.reject(thrown as Error))),
      ]);
      await failed;
      return captured;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Captures a single request. @param call makes one call to the given address; how it ends does not matter. */
export async function captureRequest(url: string, call: (url: string) => Promise<unknown>): Promise<CapturedRequest> {
  await using capture = await openCapture();
  const { pathname } = new URL(url);
  // Awaited, because the capture listens until this function ends.
  return await capture.requestOf(() => call(`${capture.origin}${pathname}`));
}

/** The body of the answer. Rejects with a RunnerError `answers-differ` unless the status is 2xx. */
export function sendCaptured(url: string, { method, path, headers, body }: CapturedRequest): Promise<string> {
  const target = new URL(path, url);
  const request = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(
      target,
      // The certificate was made for this run; our own clients have checked it.
      { method, headers: { ...headers, "content-length": body.length }, rejectUnauthorized: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(Buffer.concat(chunks).toString());
          else
            reject(new RunnerError("answers-differ", `the same request sent again was answered with status ${status}`));
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

function leavesOf(value: JsonValue): readonly (string | number | boolean | null)[] {
  if (value === null || typeof value !== "object") return [value];
  return Object.values(value).flatMap((inner) => leavesOf(inner));
}

/** Whether a JSON body contains every value of an answer; another body (XML, Protobuf) every text; or the body is the bytes of its HttpBody. */
export function bodyHolds(answer: JsonObject, body: string): boolean {
  const json = jsonIn(body);
  const wanted = leavesOf(answer);
  const isRaw = (value: unknown): boolean =>
    typeof value === "string" && Buffer.from(value, "base64").toString() === body;
  if (body !== "" && wanted.some((value) => isRaw(value))) return true;
  if (json === undefined) return wanted.every((value) => typeof value !== "string" || body.includes(value));
  const found = new Set(leavesOf(json));
  return wanted.every((value) => found.has(value));
}
