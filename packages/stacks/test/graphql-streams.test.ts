// Streams of a server are subscriptions over server-sent events: what comes, in which order, and how it ends.
import { create } from "@bufbuild/protobuf";
import { type CallContext, handlersOf } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import {
  ConformanceService,
  type DownloadRequest,
  type DownloadResponse,
  DownloadResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { createClient } from "graphql-sse";
import { describe, expect, test } from "vitest";
import { graphqlPost } from "./support/graphql-post.ts";
import { graphqlStack, pairOf, type PairOptions } from "./support/pair.ts";

const stack = graphqlStack;
const contract = conformanceContract();
const download = contract.operation("roundtrip.conformance.v1.ConformanceService.Download");

type Answer = (request: DownloadRequest, context: CallContext) => AsyncIterable<DownloadResponse>;

const item = (index: number, sizeBytes = 0) =>
  create(DownloadResponseSchema, { index, data: new Uint8Array(sizeBytes) });

async function* counting({ count, sizeBytes }: DownloadRequest): AsyncGenerator<DownloadResponse> {
  for (let index = 0; index < count; index++) yield await Promise.resolve(item(index, sizeBytes));
}

function pair(answer: Answer, options: Partial<PairOptions> = {}) {
  // Of this service only one method is asked.
  const methods = { download: answer } as unknown as Parameters<typeof handlersOf<typeof ConformanceService>>[1];
  return pairOf(stack, serviceOf(contract, handlersOf(ConformanceService, methods)), options);
}

describe.each([{ tls: false }, { tls: true }])("with TLS: $tls", ({ tls }) => {});

test("another client library reads the same", async () => {
  const { server } = await pair(counting);
  const client = createClient({ url: server.url, retryAttempts: 0 });
  const results: unknown[] = [];
  for await (const { data } of client.iterate({ query: "subscription { download(count: 2) { index data } }" })) {
    results.push(data);
  }
  expect(results).toEqual([{ download: { index: 0, data: "" } }, { download: { index: 1, data: "" } }]);
});

test("a subscription without a stream's media type is refused with that type; an invalid document is an event", async () => {
  const { server } = await pair(counting);
  const query = "subscription { download { index } }";
  expect((await graphqlPost(server, { query })).errors[0]).toMatchObject({
    message: "subscriptions require Accept: text/event-stream",
    extensions: { code: "INVALID_ARGUMENT" },
  });
  const response = await fetch(server.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ query: "subscription { nobody }" }),
  });
  expect(await response.text()).toMatch(
    /^event: next\ndata: \{"errors":\[.*"GRAPHQL_VALIDATION_FAILED".*\n\nevent: complete\n/,
  );
});
