// Attacks on servers that speak HTTP/1.1.
import { gzipSync } from "node:zlib";
import { exchange } from "../raw-exchange.ts";
import { longestListenMs, smallLimits } from "../served.ts";
import { type Attack, exampleCall, expectDropped, expectThat, slowly } from "./connection.ts";
import { type ExampleRequest, exampleRequest, expectRefused, isAnswered, send, statusOf } from "./http1-request.ts";

/** The status must be from 400 to 499, or the answer one by which the style refuses a malformed message: the sender is at fault. */
export function refuses(name: string, bytesOf: (example: ExampleRequest) => Uint8Array | string): Attack {
  return {
    name,
    waits: false,
    run: async (target) => expectRefused(target, await send(target.url, bytesOf(await exampleRequest(target)))),
  };
}

export const http1Attacks: readonly Attack[] = [
  {
    name: "headers that come a byte at a time are not waited for",
    waits: true,
    run: ({ url }) => expectDropped(url, () => slowly("GET / HTTP/1.1\r\nhost: localhost\r\n", "x-slow: 1\r\n", 60)),
  },
  {
    name: "a body that comes a byte at a time is not waited for",
    waits: true,
    async run(target) {
      const head = (await exampleRequest(target)).headOf(999);
      await expectDropped(target.url, () => slowly(head, " ", 60));
    },
  },
  {
    name: "a body that never ends is refused before it does",
    waits: false,
    async run(target) {
      const head = (await exampleRequest(target)).headOf(0).replace("content-length: 0", "transfer-encoding: chunked");
      const chunk = `10000\r\n${" ".repeat(0x1_00_00)}\r\n`;
      const pieces = slowly(head, chunk, 400);
      const heard = await exchange({
        url: target.url,
        pieces,
        pauseMs: 1,
        listenMs: longestListenMs,
        isComplete: isAnswered,
      });
      expectThat(heard.isClosed || statusOf(heard) >= 400, "nobody stopped an endless body");
    },
  },
  refuses("a body that grows a thousandfold when it is unpacked is refused", (example) =>
    example.with(gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")), ["content-encoding: gzip"]),
  ),
  refuses("a body that is too large when it is unpacked, and broken after that, is refused", (example) => {
    const packed = gzipSync(Buffer.alloc(32 * 1024 * 1024, " "));
    // Beyond the limit, and before the end: the data itself is corrupt there.
    packed.fill(0xff, packed.length - 4_096);
    return example.with(packed, ["content-encoding: gzip"]);
  }),
  refuses("a body that is larger than allowed is refused", (example) =>
    example.with(example.body.replace("example", "x".repeat(smallLimits.maxMessageBytes))),
  ),
  refuses("two lengths for one body are refused", (example) => example.with("{}", ["content-length: 40"])),
  refuses("a length beside chunks is refused", (example) => example.with("{}", ["transfer-encoding: chunked"])),
  refuses("a header without a name is refused", (example) => example.with("{}", [": x"])),
  refuses("headers without end are refused", (example) =>
    example.with(
      "{}",
      Array.from({ length: 4_000 }, (_, at) => `x-${at}: ${"y".repeat(40)}`),
    ),
  ),
  refuses(
    "paths that climb lead nowhere",
    ({ host }) => `GET /../../../../etc/passwd HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  ),
  refuses(
    "paths that climb in disguise lead nowhere",
    ({ host }) => `GET /v1/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  ),
  {
    name: "line breaks in a path do not become headers",
    waits: false,
    async run({ url }) {
      const path = "/v1/values%0d%0ax-injected:%201?text=%0d%0ax-injected:%201";
      const { bytes } = await send(url, `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`);
      expectThat(!/^x-injected/im.test(bytes.toString("latin1")), "a line break became a header");
    },
  },
];

/** For stacks that support streams of requests. */
export const http1StreamAttacks: readonly Attack[] = [
  {
    name: "a stream that comes a byte at a time is not waited for",
    waits: true,
    async run(target) {
      // Without the chunk that ends the body.
      const begun = (await exampleCall(target, "Upload", { index: 1 })).toString("latin1").replace(/0\r\n\r\n$/, "");
      await expectDropped(target.url, () => slowly(begun, "1\r\n \r\n", 60));
    },
  },
];
