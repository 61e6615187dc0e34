// Attacks over HTTP/1.1 that cost a server with its usual limits much time or memory: requests at once that become large, tiny pieces, unfinished requests.
import { loadFuzzedStyle, type Notation } from "../fuzzed-style.ts";
import { exchange } from "../raw-exchange.ts";
import type { Served } from "../served.ts";
import { type Attack, echoOf, exampleCall, expectThat } from "./connection.ts";
import { costlyValues, packingsOf } from "./costly-bodies.ts";
import { type ExampleRequest, exampleRequest, isAnswered, statusOf } from "./http1-request.ts";

/** The requests of one attack, each over a connection of its own. */
const atOnce = 10;

/** For answers to much work on a busy machine: a server that never answers nor closes is what is found. */
const patienceMs = 120_000;

/** What may be announced of a body that never comes whole: what servers take of one by default, but for a byte. */
const halfBytes = 4 * 1024 * 1024 - 1;
const halfRequests = 200;
/** With {@link halfRequests}, more than may wait in all. */
const waitingBytes = 1_300_000;

/** Sends these pieces over several connections. Throws if one is neither answered nor closed, or if an answer blames the server. */
async function sendAtOnce({ url, style }: Served, count: number, pieces: readonly Buffer[]): Promise<void> {
  const { answerFaults } = await loadFuzzedStyle(style);
  const sending = { url, pieces, pauseMs: 0, listenMs: patienceMs, isComplete: isAnswered };
  const answers = await Promise.all(Array.from({ length: count }, () => exchange(sending)));
  for (const answer of answers) {
    expectThat(answer.isClosed || statusOf(answer) > 0, "neither answered nor closed");
    const fault = answerFaults?.faultIn(answer.bytes);
    expectThat(fault === undefined, `the server blames itself: ${fault}`);
  }
}

/** Bodies of few bytes, or few megabytes, that become many objects. */
function costlyRequests(notation: Notation): readonly Attack[] {
  return costlyValues[notation].flatMap(({ name, values }, at) =>
    packingsOf(at).map(([encoding, pack]) => ({
      name: `${atOnce} requests at once with ${name}: ${encoding}`,
      waits: false,
      async run(target: Served) {
        const example = await exampleRequest(target);
        const headers = encoding === "identity" ? [] : [`content-encoding: ${encoding}`];
        await sendAtOnce(target, atOnce, [example.with(pack(example.bodyWith(values())), headers)]);
      },
    })),
  );
}

const chunkedHead = (example: ExampleRequest): string =>
  example.headOf(0).replace("content-length: 0", "transfer-encoding: chunked");

/** As many as have the bytes of the largest message. */
const tinyChunks = 700_000;

const others: readonly Attack[] = [
  {
    name: "a body in hundreds of thousands of chunks of a byte",
    waits: false,
    async run(target) {
      const example = await exampleRequest(target);
      const pieces = [Buffer.from(chunkedHead(example)), Buffer.alloc(6 * tinyChunks, "1\r\n \r\n")];
      await sendAtOnce(target, 2, [...pieces, Buffer.from("0\r\n\r\n")]);
    },
  },
  {
    name: `${halfRequests} connections with all of a large request but its last byte`,
    waits: false,
    async run(target) {
      const example = await exampleRequest(target);
      const request = Buffer.concat([Buffer.from(example.headOf(halfBytes + 1)), Buffer.alloc(halfBytes, " ")]);
      await sendAtOnce(target, halfRequests, [request]);
    },
  },
  {
    name: `${halfRequests} calls with more than a megabyte that wait`,
    waits: false,
    async run(target) {
      const answered = await exampleCall(target, "Echo", echoOf(`tiaws${"x".repeat(waitingBytes)}`));
      const call = Buffer.from(answered.toString("latin1").replace("tiaws", "waits"), "latin1");
      const waiting = { url: target.url, pieces: [call], pauseMs: 0, listenMs: 1_000, isComplete: () => false };
      await Promise.all(Array.from({ length: halfRequests }, () => exchange(waiting)));
    },
  },
];

/** For stacks that support streams of requests. */
export const http1StreamCosts: readonly Attack[] = [
  {
    name: "a stream of messages without content",
    waits: false,
    async run(target) {
      const call = (await exampleCall(target, "Upload", { index: 1 })).toString("latin1");
      const head = call.slice(0, call.indexOf("\r\n\r\n") + 4);
      const empty = /connect\+/.test(head) ? Buffer.alloc(5) : Buffer.from("{}\n");
      const stream = Buffer.alloc(empty.length * Math.floor(4_000_000 / empty.length), empty);
      const chunk = [Buffer.from(`${stream.length.toString(16)}\r\n`), stream, Buffer.from("\r\n0\r\n\r\n")];
      await sendAtOnce(target, 2, [Buffer.from(head), ...chunk]);
    },
  },
];

export function http1Costs(notation: Notation): readonly Attack[] {
  return [...costlyRequests(notation), ...others];
}
