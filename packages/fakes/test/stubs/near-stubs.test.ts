// Why stubs did not match: in the log of a fake.
import { builtInContract, withMetadata } from "@roundtrip/contract";
import { create, fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { GetCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { describe, expect, it } from "vitest";
import { createFake, type Fake } from "../../src/fake/fake.ts";
import { memoryClient } from "../../src/memory/memory-client.ts";
import type { CallRecord } from "../../src/recording/call-log.ts";
import { parseStubs } from "../../src/stubs/read-stubs.ts";

const contract = builtInContract();
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");

function fakeWith(stubs: string): Fake {
  return createFake({ contract, stubs: parseStubs(stubs, "stubs.yaml", contract) });
}

/** The record of a call of GetCustomer. */
async function called(
  fake: Fake,
  request: MessageInitShape<typeof GetCustomerRequestSchema>,
  headers: Readonly<Record<string, string>> = {},
): Promise<CallRecord> {
  const client = withMetadata(
    memoryClient(() => fake.service),
    new Map(Object.entries(headers)),
  );
  await client
    .prepare(getCustomer)(create(GetCustomerRequestSchema, request))
    .catch(() => undefined);
  const record = fake.log.records.at(-1);
  if (record === undefined) throw new Error("no call was recorded");
  return record;
}

describe("a call that no stub matches", () => {
  const stubs = `
- operation: GetCustomer
  when: { id: 7, readMask: "name,mail" }
  when-headers: { x-tenant: { glob: "acme*" }, authorization: Bearer 1, x-trace: null }
  response: {}
- operation: GetCustomer
  when: { id: 8 }
  response: {}
- operation: SayHello
  response: {}
`;

  it("has the nearest stubs in the log, with the path, the expected and the actual value of each difference", async () => {
    const { nearStubs } = await called(fakeWith(stubs), { id: 9 }, { authorization: "Bearer secret", "x-trace": "1" });
    expect(nearStubs).toEqual([
      { position: 2, when: { id: 8 }, whenHeaders: {}, differences: [{ path: "id", expected: 8, got: 9 }] },
      {
        position: 1,
        when: { id: 7, readMask: "name,mail" },
        whenHeaders: expect.anything(),
        differences: [
          { path: "id", expected: 7, got: 9 },
          { path: "readMask", expected: "name,mail", got: undefined },
          { path: "headers.x-tenant", expected: { glob: "acme*" }, got: undefined },
          { path: "headers.authorization", expected: "Bearer 1", got: "[redacted]" },
          { path: "headers.x-trace", expected: null, got: "1" },
        ],
      },
    ]);
  });

  it("has none if a stub answered, or if the operation has no stubs", async () => {
    expect((await called(fakeWith(stubs), { id: 8 })).nearStubs).toEqual([]);
    expect((await called(fakeWith("operation: SayHello\nresponse: {}"), { id: 8 })).nearStubs).toEqual([]);
  });

  it("of a stream is compared by its first request", async () => {
    const upload = contract.operation("roundtrip.v1.PayloadService.Upload");
    const fake = fakeWith("operation: Upload\nwhen: { data: aGk= }\nresponse: {}");
    const requests = ["aGE=", "aGk="].map((data) => fromJson(upload.input, { data }));
    await Array.fromAsync(memoryClient(() => fake.service).prepareStream(upload)(requests));
    expect(fake.log.records[0]?.nearStubs[0]?.differences).toEqual([{ path: "data", expected: "aGk=", got: "aGE=" }]);
  });

  it("shows three of many", async () => {
    const many = Array.from(
      { length: 500 },
      (_, id) => `- { operation: GetCustomer, when: { id: ${id + 10} }, response: {} }`,
    );
    expect((await called(fakeWith(many.join("\n")), { id: 9 })).nearStubs).toHaveLength(3);
  });
});
