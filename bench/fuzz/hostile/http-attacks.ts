// Attacks on the servers that speak HTTP/1.1: REST and GraphQL.
import { gzipSync } from "node:zlib";
import { exchange, openSocket } from "../raw-exchange.ts";
import { smallLimits, type Served } from "../served.ts";
import { expectThat, type Attack } from "./attack.ts";
import { expectDropped, slowly } from "./dropped.ts";
import { floodOfConnections } from "./flood.ts";
import { bodyOf, echoWith, expectStatus, isAnswered, listenMs, sent, statusOf } from "./http-requests.ts";
import { silence } from "./silence.ts";
import { expectNotKept } from "./unread.ts";

const styles = ["rest", "graphql"] as const;

/** Answers below 500 alone: the sender is at fault. */
function refuses(name: string, bytesOf: (target: Served) => Uint8Array | string): Attack {
  return { name, styles, waits: false, run: (target) => expectStatus(sent(target.url, bytesOf(target)), 400, 499) };
}

/** More than the kernel buffers for a client that does not read. */
const unreadAnswers = 60;

function nested(levels: number): string {
  return `{"tree":${'{"only":'.repeat(levels)}{}${"}".repeat(levels)}}`;
}

/** A request with a slow handler, which reports how many run at once. */
function lookSlowly({ style, url }: Served): string {
  const query = encodeURIComponent('{ look(text: "slowly") { request { text } } }');
  const path = style === "rest" ? "/v1/values?text=slowly" : `/graphql?query=${query}`;
  return `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\naccept: application/json\r\n\r\n`;
}

export const httpAttacks: readonly Attack[] = [
  silence(styles),
  {
    name: "connections whose call is over are closed in the end",
    styles,
    waits: true,
    run: (target) => expectDropped(target.url, () => [echoWith(target.url, bodyOf(target, "{}"))]),
  },
  {
    name: "headers that come a byte at a time are not waited for",
    styles,
    waits: true,
    run: ({ url }) => expectDropped(url, () => slowly("GET / HTTP/1.1\r\nhost: x\r\n", "x-slow: 1\r\n", 60)),
  },
  {
    name: "a body that comes a byte at a time is not waited for",
    styles,
    waits: true,
    run: ({ url }) =>
      expectDropped(url, () =>
        slowly(
          echoWith(url, " ".repeat(9))
            .toString()
            .replace(/: 9\r\n\r\n\s+$/, ": 999\r\n\r\n"),
          " ",
          60,
        ),
      ),
  },
  {
    name: "a line of a stream that comes a byte at a time is not waited for",
    styles: ["rest"],
    waits: true,
    run: ({ url }) => {
      const head = ["POST /v1/items HTTP/1.1", "host: x", "content-type: application/x-ndjson", "content-length: 999"];
      return expectDropped(url, () => slowly(`${head.join("\r\n")}\r\n\r\n{"index":1}\n`, " ", 60));
    },
  },
  {
    name: "answers that nobody reads are not kept",
    styles,
    waits: true,
    run(target) {
      const text = "x".repeat(smallLimits.maxMessageBytes - 1_024);
      const request = echoWith(target.url, bodyOf(target, JSON.stringify({ presence: { text } })));
      const requests = Buffer.concat(Array.from({ length: unreadAnswers }, () => request));
      return expectNotKept(target.url, requests, unreadAnswers * text.length);
    },
  },
  floodOfConnections(styles),
  refuses("a body that is larger than allowed is refused", (target) =>
    echoWith(
      target.url,
      bodyOf(target, JSON.stringify({ presence: { text: "x".repeat(smallLimits.maxMessageBytes) } })),
    ),
  ),
  {
    name: "a body that never ends is refused before it does",
    styles,
    waits: false,
    async run({ url }) {
      const head = echoWith(url, "").toString().replace("content-length: 0", "transfer-encoding: chunked");
      const chunk = `10000\r\n${" ".repeat(0x1_00_00)}\r\n`;
      const pieces = slowly(head, chunk, 400);
      const heard = await exchange({ url, pieces, pauseMs: 1, listenMs, isComplete: isAnswered });
      expectThat(heard.isClosed || statusOf(heard) >= 400, "nobody stopped an endless body");
    },
  },
  refuses("a body that grows a thousandfold when it is unpacked is refused", (target) =>
    echoWith(target.url, gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")), ["content-encoding: gzip"]),
  ),
  refuses("a body that is too large when it is unpacked, and broken after that, is refused", (target) => {
    const packed = gzipSync(Buffer.alloc(32 * 1024 * 1024, " "));
    // Past the limit, and before the end: there the data itself is broken.
    packed.fill(0xff, packed.length - 4_096);
    return echoWith(target.url, packed, ["content-encoding: gzip"]);
  }),
  refuses("JSON that goes ages deep is refused", (target) => echoWith(target.url, bodyOf(target, nested(20_000)))),
  refuses("what is no UTF-8 is refused", (target) =>
    echoWith(target.url, Buffer.from(bodyOf(target, '{"presence":{"text":"\u00ff\u00fe"}}'), "latin1")),
  ),
  {
    name: "requests that are sent ahead by the thousand do not set a thousand handlers to work",
    styles,
    waits: false,
    async run(target) {
      const one = lookSlowly(target);
      await exchange({ url: target.url, pieces: [one.repeat(2_000)], pauseMs: 0, listenMs, isComplete: isAnswered });
      // The one that was at work when its caller was hung up on may be so still.
      const { bytes } = await sent(target.url, one);
      const most = /"text":"(\d+) at once"/.exec(bytes.toString("latin1"))?.[1];
      expectThat(most === "1" || most === "2", `${most} handlers were at work`);
    },
  },
  refuses("two lengths for one body are refused", ({ url }) => echoWith(url, "{}", ["content-length: 40"])),
  refuses("a length beside chunks is refused", ({ url }) => echoWith(url, "{}", ["transfer-encoding: chunked"])),
  refuses("a header without a name is refused", ({ url }) => echoWith(url, "{}", [": x"])),
  refuses("headers without end are refused", ({ url }) =>
    echoWith(
      url,
      "{}",
      Array.from({ length: 4_000 }, (_, at) => `x-${at}: ${"y".repeat(40)}`),
    ),
  ),
  refuses(
    "paths that climb lead nowhere",
    ({ url }) => `GET /../../../../etc/passwd HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`,
  ),
  refuses(
    "paths that climb in disguise lead nowhere",
    ({ url }) => `GET /v1/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`,
  ),
  refuses("names of prototypes are no fields", (target) =>
    echoWith(target.url, bodyOf(target, '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')),
  ),
  {
    name: "line breaks in a path do not become headers",
    styles,
    waits: false,
    async run({ url }) {
      const { bytes } = await sent(
        url,
        `GET /v1/values%0d%0ax-injected:%201?text=%0d%0ax-injected:%201 HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`,
      );
      expectThat(!/^x-injected/im.test(bytes.toString("latin1")), "a line break became a header");
    },
  },
  {
    name: "a document with ten thousand aliases is refused",
    styles: ["graphql"],
    waits: false,
    run({ url }) {
      const fields = Array.from({ length: 10_000 }, (_, at) => `a${at}: __typename`).join(" ");
      return expectStatus(sent(url, echoWith(url, JSON.stringify({ query: `{ ${fields} }` }))), 400, 499);
    },
  },
  {
    name: "a document that calls one operation thousands of times is refused, and none of the calls is made",
    styles: ["graphql"],
    waits: false,
    async run({ url }) {
      const calls = Array.from({ length: 3_300 }, (_, at) => `c${at}: look(text: "x") { request { text } }`).join(" ");
      const heard = sent(url, echoWith(url, JSON.stringify({ query: `{ ${calls} }` })));
      await expectStatus(heard, 400, 499);
      const said = (await heard).bytes.toString();
      expectThat(said.includes("RESOURCE_EXHAUSTED") && !said.includes('"data"'), `calls were made: ${said}`);
    },
  },
  {
    name: "a list that is asked for under hundreds of names is refused",
    styles: ["graphql"],
    waits: false,
    run({ url }) {
      const names = Array.from({ length: 500 }, (_, at) => `a${at}: text`).join(" ");
      const query = `{ look(text: "x") { request { ...names } } } fragment names on LookRequest { ${names} }`;
      return expectStatus(sent(url, echoWith(url, JSON.stringify({ query }))), 400, 499);
    },
  },
  {
    name: "fragments that hold each other thousandfold are refused",
    styles: ["graphql"],
    waits: false,
    run({ url }) {
      const levels = Array.from(
        { length: 20 },
        (_, at) => `fragment f${at} on Query { ${`...f${at + 1} `.repeat(10)} }`,
      );
      const query = `{ ...f0 } ${levels.join(" ")} fragment f20 on Query { __typename }`;
      return expectStatus(sent(url, echoWith(url, JSON.stringify({ query }))), 400, 499);
    },
  },
  {
    name: "a document that nests lists without end is refused",
    styles: ["graphql"],
    waits: false,
    run({ url }) {
      const query = `{ look(texts: ${"[".repeat(8_000)}${"]".repeat(8_000)}) { request { text } } }`;
      return expectStatus(sent(url, echoWith(url, JSON.stringify({ query }))), 400, 499);
    },
  },
  {
    name: "callers who hang up in the middle are forgotten",
    styles,
    waits: false,
    async run({ url }) {
      for (let at = 0; at < 40; at += 1) {
        const socket = openSocket(url);
        socket.write(echoWith(url, "{}").subarray(0, 40 + at));
        socket.once("connect", () => socket.destroy());
        await new Promise((resolve) => socket.once("close", resolve));
      }
    },
  },
];
