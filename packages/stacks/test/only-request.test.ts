// An operation that takes one request and answers with a stream is given one: the first that its caller has, the same on each style.
import { create } from "@bufbuild/protobuf";
import { DownloadResponseSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { describe, expect, test } from "vitest";
import { caught, graphqlStack, grpcStack, pairOf, restStack } from "./support/pair.ts";
import { all, conformanceService, methods, streamed } from "./support/streams.ts";

const { download } = methods;

const counting = conformanceService({
  async *download({ count }) {
    yield create(DownloadResponseSchema, { index: count });
  },
});

describe.each([grpcStack, restStack, graphqlStack])("%s", (stack) => {
  test("of several requests the first is sent", async () => {
    const { client } = await pairOf(stack, counting);
    const answers = await all(streamed(client, download, [{ count: 1 }, { count: 2 }]));
    expect(answers.map(({ index }) => index)).toEqual([1]);
  });

  test("a missing request is INVALID_ARGUMENT, before anything is sent", async () => {
    const { client } = await pairOf(stack, counting);
    const error = await caught(all(streamed(client, download, [])));
    expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", "the call came without a request"]);
  });
});
