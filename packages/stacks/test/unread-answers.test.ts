// Answers that nobody reads take a limited part of a server's memory in all, however many connections they are on; callers that read get theirs.
import { once } from "node:events";
import type { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { unreadAnswers } from "../src/shared/unread-answers.ts";
import { bytesOf, type Call, calls } from "./support/hello-calls.ts";
import { certificate, helloService, endsUnderTest, restStack, served } from "./support/pair.ts";
import { bareCall, rawSocket } from "./support/wire.ts";
import { connect as connectTls } from "node:tls";

const answerBytes = 8 * 1024 * 1024;
const greeting = helloService(() => "x".repeat(answerBytes));

/** Resolves when some of the body has come, and stops reading. */
async function begun<T extends Readable>(answer: T): Promise<T> {
  for (let bytes = 0; bytes < 4_096; answer.pause()) {
    // oxlint-disable-next-line no-await-in-loop
    const [chunk] = (await once(answer.resume(), "data")) as [Buffer];
    bytes += chunk.length;
  }
  return answer;
}

/** Whether nearly all of an answer still comes. What the system has taken of it comes in any case. */
async function isWhole(answer: Readable): Promise<boolean> {
  let bytes = 0;
  answer.on("data", (chunk: Buffer) => (bytes += chunk.length)).resume();
  if (!answer.destroyed) await once(answer, "close");
  return bytes > 0.9 * answerBytes;
}

const { mostBytes } = unreadAnswers;
let before = 0;
beforeEach(() => {
  before = unreadAnswers.bytes;
  unreadAnswers.mostBytes = before + 2.5 * answerBytes;
});
afterEach(() => void (unreadAnswers.mostBytes = mostBytes));

/** Whether each of three answers comes whole. @param begin sends a request, and resolves when its answer has {@link begun} */
async function areWhole(begin: () => Promise<Readable>): Promise<readonly boolean[]> {
  const answers = [await begin(), await begin()];
  expect(unreadAnswers.bytes - before).toBeGreaterThanOrEqual(2 * answerBytes);
  answers.push(await begin());
  expect(unreadAnswers.bytes).toBeLessThanOrEqual(unreadAnswers.mostBytes);
  const whole: boolean[] = [];
  // oxlint-disable-next-line no-await-in-loop
  for (const answer of answers) whole.push(await isWhole(answer));
  await expect.poll(() => unreadAnswers.bytes).toBe(before);
  return whole;
}

/** The answer that waits longest is given up. */
const exceptFirst = [false, true, true];

const overHttp1 = endsUnderTest("server").filter(({ style }) => Object.hasOwn(calls, style));

test.each(overHttp1)("$name closes the connection whose answer waits longest", async ({ name, style }) => {
  const { url } = await served(name, greeting);
  const whole = await areWhole(async () => {
    const socket = await rawSocket(url);
    socket.write(bytesOf(calls[style] as Call, "localhost"));
    return begun(socket);
  });
  expect(whole).toEqual(exceptFirst);
});

test("over TLS too", async () => {
  const tls = await certificate;
  const { port } = new URL((await served(restStack, greeting, { tls })).url);
  const whole = await areWhole(async () => {
    const socket = connectTls({ port: Number(port), host: "127.0.0.1", ca: tls.ca });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {}).write(bytesOf(calls["rest"] as Call, "localhost"));
    return begun(socket);
  });
  expect(whole).toEqual(exceptFirst);
});

const grpc = { type: "application/grpc", body: Buffer.from([0, 0, 0, 0, 3, 10, 1, 0x78]), settings: {} };

describe.each([
  ...endsUnderTest("server").flatMap(({ name, style }) => (style === "grpc" ? [{ ...grpc, name }] : [])),
  { name: "connect-node", type: "application/json", body: '{"name":"x"}', settings: { http: "2" } },
])("$name over HTTP/2", ({ name, type, body, settings }) => {
  test("closes the connection whose answer waits longest", async () => {
    const { url } = await served(name, greeting, { settings });
    const whole = await areWhole(async () => {
      const stream = bareCall(url, "/roundtrip.v1.HelloService/SayHello", { "content-type": type });
      stream.on("error", () => {}).end(body);
      return begun(stream);
    });
    expect(whole).toEqual(exceptFirst);
  });
});
