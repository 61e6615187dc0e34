// An operation that gives one answer gives one, whatever its handler says: the same on each style that takes streams of requests.
import { create } from "@bufbuild/protobuf";
import { UploadResponseSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { conformanceContract } from "@roundtrip/conformance";
import { serviceOf } from "@roundtrip/contract/service";
import { describe, expect, test } from "vitest";
import { caught, grpcStack, pairOf, restStack } from "./support/pair.ts";
import { all, methods, streamed } from "./support/streams.ts";

const { upload } = methods;

const id = "roundtrip.conformance.v1.ConformanceService.Upload";

/** A handler of a stream may say any number of answers: these. */
function answering(...counts: readonly number[]) {
  const handler = async function* () {
    for (const count of counts) yield create(UploadResponseSchema, { count });
  };
  return serviceOf(conformanceContract(), new Map([[id, handler]]));
}

describe.each([grpcStack, restStack])("%s", (stack) => {
  test("of several answers to a stream of requests the first is given", async () => {
    const { client } = await pairOf(stack, answering(1, 2, 3));
    expect((await all(streamed(client, upload, [{ index: 0 }]))).map(({ count }) => count)).toEqual([1]);
  });

  test("a missing answer to a stream of requests is INTERNAL, and names the operation", async () => {
    const { client } = await pairOf(stack, answering());
    const error = await caught(all(streamed(client, upload, [{ index: 0 }])));
    expect([error.code, error.message]).toEqual(["INTERNAL", `${id} gave no answer`]);
  });
});
