// One typed client over every stack: the same calls, written once, give the same answers and the same errors.
import { create, equals } from "@bufbuild/protobuf";
import { CallError, typedClient, type TypedClient } from "@roundtrip/contract";
import {
  ConformanceService,
  DownloadResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { Colour, ValuesSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { HelloService } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { caught, helloService, pairOf, stacksUnderTest } from "./support/pair.ts";
import { all, conformanceService } from "./support/streams.ts";

/** What no style carries, or not every style: half a surrogate pair, and the characters that XML 1.0 does not have. */
// oxlint-disable-next-line no-control-regex -- it is about control characters
const notEverywhere = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;

const values = fc.record(
  {
    scalars: fc.record(
      {
        doubleValue: fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)),
        floatValue: fc.float({ noNaN: true }).filter((value) => !Object.is(value, -0)),
        int32Value: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        int64Value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        uint64Value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        boolValue: fc.boolean(),
        stringValue: fc.string({ unit: "binary" }).filter((text) => text.isWellFormed() && !notEverywhere.test(text)),
        bytesValue: fc.uint8Array({ maxLength: 20 }),
        colour: fc.constantFrom(Colour.RED, Colour.INFRA_RED),
      },
      { requiredKeys: [] },
    ),
    presence: fc.record({ number: fc.integer({ min: 0, max: 3 }), text: fc.string() }, { requiredKeys: [] }),
    maps: fc.record({ textByText: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }) }),
    choice: fc.oneof(
      fc.record({ kind: fc.record({ case: fc.constant("text" as const), value: fc.string() }) }),
      fc.record({ kind: fc.record({ case: fc.constant("flag" as const), value: fc.boolean() }) }),
    ),
    tree: fc.record({ label: fc.string(), branches: fc.array(fc.record({ label: fc.string() }), { maxLength: 2 }) }),
  },
  { requiredKeys: [] },
);

const service = conformanceService({
  echo: (request) => ({
    $typeName: "roundtrip.conformance.v1.EchoResponse",
    ...(request.values && { values: request.values }),
  }),
  async *download({ count }) {
    for (let index = 0; index < count; index += 1) yield create(DownloadResponseSchema, { index });
    if (count === 2) throw new CallError("DATA_LOSS", "there were to be more");
  },
  async upload(requests) {
    let count = 0;
    for await (const { index } of requests) count += index;
    return { $typeName: "roundtrip.conformance.v1.UploadResponse", count, sizeBytes: 0n, inOrder: true };
  },
  async *converse(requests) {
    for await (const { text } of requests) {
      yield { $typeName: "roundtrip.conformance.v1.ConverseResponse", text: `${text}?` };
    }
  },
});

async function clientOver(stackName: string): Promise<TypedClient<typeof ConformanceService>> {
  const { client } = await pairOf(stackName, service);
  return typedClient(ConformanceService, client);
}

test("the same calls give equal answers on every stack", async () => {
  const clients = await Promise.all(stacksUnderTest().map(({ name }) => clientOver(name)));
  await fc.assert(
    fc.asyncProperty(values, async (sent) => {
      const answers = await Promise.all(clients.map((client) => client.echo({ values: sent })));
      const expected = create(ValuesSchema, sent);
      for (const answer of answers) {
        if (answer.values === undefined) throw new Error("the answer came without its values");
        expect(equals(ValuesSchema, answer.values, expected)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

describe.each(stacksUnderTest())("over $name", ({ name: stackName }) => {
  test("options go with a call, and its error is the service's", async () => {
    const { client } = await pairOf(
      stackName,
      helloService(({ name }) => {
        throw new CallError("NOT_FOUND", `there is no ${name}`);
      }),
    );
    const hello = typedClient(HelloService, client);
    expect(await caught(hello.sayHello({ name: "Ada" }))).toMatchObject({
      code: "NOT_FOUND",
      message: "there is no Ada",
    });
    const signal = AbortSignal.abort();
    expect(await caught(hello.sayHello({ name: "Ada" }, { signal }))).toMatchObject({ code: "CANCELLED" });
    const other = typedClient(ConformanceService, client);
    expect(await caught(other.echo({}))).toMatchObject({ code: "UNIMPLEMENTED" });
  });
});
