// Attacks on servers that read JSON requests over HTTP/1.1.
import { exchange } from "../raw-exchange.ts";
import { longestListenMs, smallLimits } from "../served.ts";
import { type Attack, echoOf, exampleCall, expectNotKept, expectThat } from "./connection.ts";
import { refuses } from "./http1-attacks.ts";
import { ExampleRequest, isAnswered, send } from "./http1-request.ts";

/** More than the kernel buffers for a client that does not read. */
const unreadAnswers = 120;

function nested(levels: number): string {
  return `{"tree":${'{"only":'.repeat(levels)}{}${"}".repeat(levels)}}`;
}

export const jsonAttacks: readonly Attack[] = [
  {
    name: "answers that nobody reads are not kept",
    waits: true,
    async run(target) {
      const textBytes = smallLimits.maxMessageBytes / 2;
      const example = new ExampleRequest(target, await exampleCall(target, "Echo", echoOf("x".repeat(textBytes))));
      const requests = Buffer.concat(Array.from({ length: unreadAnswers }, () => example.with(example.body)));
      await expectNotKept(target.url, requests, unreadAnswers * textBytes);
    },
  },
  refuses("JSON that goes ages deep is refused", (example) => example.with(example.bodyWith(nested(20_000)))),
  refuses("what is no UTF-8 is refused", (example) =>
    example.with(Buffer.from(example.bodyWith('{"presence":{"text":"\u00ff\u00fe"}}').toString(), "latin1")),
  ),
  refuses("names of prototypes are no fields", (example) =>
    example.with(example.bodyWith('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')),
  ),
  {
    name: "requests that are sent ahead by the thousand do not set a thousand handlers to work",
    waits: false,
    async run(target) {
      const one = new ExampleRequest(target, await exampleCall(target, "Look", { text: "slowly" }));
      const bytes = one.with(one.body).toString();
      await exchange({
        url: target.url,
        pieces: [bytes.repeat(2_000)],
        pauseMs: 0,
        listenMs: longestListenMs,
        isComplete: isAnswered,
      });
      // The handler of a dropped caller may still run.
      const heard = await send(target.url, bytes);
      const most = /"text":"(\d+) at once"/.exec(heard.bytes.toString("latin1"))?.[1];
      expectThat(most === "1" || most === "2", `${most} handlers ran at once`);
    },
  },
];
