// Requests that a browser sends over HTTP/1.1 for pages that have no business with a server on loopback.
import { send, exampleRequest, statusOf } from "./http1-request.ts";
import { type Attack, expectThat } from "./connection.ts";

function refusesWith(status: number, name: string, changed: (request: string, host: string) => string): Attack {
  return {
    name,
    waits: false,
    async run(target) {
      const example = await exampleRequest(target);
      const request = example.with(example.body).toString("latin1");
      const heard = statusOf(await send(target.url, Buffer.from(changed(request, example.host), "latin1")));
      expectThat(heard === status, `HTTP status ${heard}, not ${status}`);
    },
  };
}

function withHeader(request: string, header: string): string {
  return request.replace("\r\n", () => `\r\n${header}\r\n`);
}

export const foreignCallers: readonly Attack[] = [
  refusesWith(421, "a call for another host is refused", (request, host) =>
    request.replace(`host: ${host}`, () => "host: evil.example"),
  ),
  refusesWith(403, "a call of another origin's page is refused", (request) =>
    withHeader(request, "origin: https://evil.example"),
  ),
  refusesWith(403, "a call of a page without an origin is refused", (request) => withHeader(request, "origin: null")),
  refusesWith(403, "a form of another site is refused", (request) =>
    withHeader(request, "sec-fetch-site: cross-site").replace(
      /\ncontent-type: [^\r]*/i,
      () => "\ncontent-type: text/plain",
    ),
  ),
];
