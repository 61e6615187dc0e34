// Stubs answer calls: sequences, streams, templates, and why none answered. Most behaviour is tested by the page docs/stubs.md.
import { create, fromJson, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import {
  builtInContract,
  type CallError,
  handlersOf,
  ServerCall,
  type Service,
  withMetadata,
} from "@roundtrip/contract";
import { GetCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { conformanceContract } from "@roundtrip/conformance";
import { ConformanceService } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { describe, expect, it } from "vitest";
import { createFake, type Fake } from "../../src/fake/fake.ts";
import { fakeHandlers } from "../../src/handlers/fake-handlers.ts";
import { handling } from "../../src/handlers/handling.ts";
import type { CallRecord } from "../../src/log/call-log.ts";
import { memoryClient } from "@roundtrip/stacks/memory";
import { parseStubs } from "../../src/stubs/read-stubs.ts";
import { stubbing } from "../../src/stubs/stubbing.ts";
import type { Stub } from "../../src/stubs/stub-schema.ts";
import { call, serviceBehind, stream } from "./support/calls.ts";

const contract = builtInContract();
const sayHello = "roundtrip.v1.HelloService.SayHello";
const updateCustomer = "roundtrip.v1.CustomerService.UpdateCustomer";
const download = "roundtrip.v1.PayloadService.Download";
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");

const behind = serviceBehind(
  contract,
  handlersOf(HelloService, { sayHello: ({ name }) => create(SayHelloResponseSchema, { message: `made up: ${name}` }) }),
);

function stubbed(text: string): Service {
  return stubbing(contract, parseStubs(text, "stubs.yaml", contract))(behind);
}

function idOf(name: string): string {
  return `roundtrip.conformance.v1.ConformanceService.${name}`;
}

describe("a stub of a stream", () => {
  const conformance = conformanceContract();
  const handlers = fakeHandlers(ConformanceService, {
    async *converse(requests) {
      for await (const { text } of requests) yield { text: `made up: ${text}` };
    },
  });
  const echoing = handling(handlers)(serviceBehind(conformance));
  const around = (...stubs: readonly Stub[]): Service => stubbing(conformance, stubs)(echoing);

  it("matches the first of several requests", async () => {
    const service = around({ operation: idOf("Upload"), when: { index: 1 }, response: { count: 7 } });
    expect(await stream(service, idOf("Upload"), [{ index: 1 }, { index: 2 }])).toEqual([{ count: 7 }]);
    expect(await stream(service, idOf("Upload"), [{ index: 2 }, { index: 1 }])).toEqual([
      `UNIMPLEMENTED: ${idOf("Upload")} is not implemented`,
    ]);
    expect(await stream(service, idOf("Upload"), [])).toEqual([`UNIMPLEMENTED: ${idOf("Upload")} is not implemented`]);
  });

  it("passes all requests on if none matches, with the one that it read", async () => {
    const service = around({ operation: idOf("Converse"), when: { text: "no" }, "made-up": true });
    expect(await stream(service, idOf("Converse"), [{ text: "a" }, { text: "b" }])).toEqual([
      { text: "made up: a" },
      { text: "made up: b" },
    ]);
  });
});

/** A call with a header. */
function withId(id: string): ServerCall {
  return new ServerCall(undefined, new Map([["x-id", id]]));
}

describe("a template", () => {
  it("puts numbers and messages in the place of a text that is only one placeholder", async () => {
    const service = stubbed(
      'operation: UpdateCustomer\ntemplate: true\nresponse: { id: "{{request.customer.id}}", name: "{{request.customer.name}}", mail: "{{request.customer.mail}}" }',
    );
    const customer = { id: 7, name: "Ada" };
    expect(await call(service, updateCustomer, { customer })).toEqual(customer);
    expect(
      await call(
        stubbed('operation: UpdateCustomer\ntemplate: true\nresponse: "{{request.customer}}"'),
        updateCustomer,
        { customer },
      ),
    ).toEqual(customer);
  });

  it("fills errors, streams and headers", async () => {
    const service = stubbed(`
- operation: SayHello
  template: true
  headers: { x-greeted: "{{request.name}}", x-by: "{{headers.X-User}}" }
  error: { code: NOT_FOUND, message: "no {{request.name}}" }
- operation: Download
  template: true
  responses: [{ data: aGVs }]
  error: { code: DATA_LOSS, message: "{{request.sizeBytes}} were asked for" }
`);
    const operation = contract.operation(sayHello);
    const serverCall = new ServerCall(undefined, new Map([["x-user", "Bob"]]));
    const request = fromJson(operation.input, { name: "Ada" });
    expect(() => service.call(operation, request, serverCall)).toThrow("no Ada");
    expect([...serverCall.answerMetadata]).toEqual([
      ["x-greeted", "Ada"],
      ["x-by", "Bob"],
    ]);
    expect(await stream(service, download, [{ sizeBytes: 5 }])).toEqual([
      { data: "aGVs" },
      "DATA_LOSS: 5 were asked for",
    ]);
  });

  it("fails a call whose parts do not fit", async () => {
    const service = stubbed('operation: UpdateCustomer\ntemplate: true\nresponse: { id: "{{headers.x-id}}" }');
    const customer = { id: 7 };
    expect(await call(service, updateCustomer, { customer }, withId("8"))).toEqual({ id: 8 });
    expect(await call(service, updateCustomer, { customer }, withId("eight"))).toMatch(
      /^INTERNAL: a stub's template does not fit this call: .*response\.id: expected an int32, got "eight"/,
    );
  });

  it("fails a call whose answer would be too large", () => {
    const many = "{{request.name}}".repeat(100);
    const service = stubbed(`operation: SayHello\ntemplate: true\nresponse: { message: "${many}" }`);
    const operation = contract.operation(sayHello);
    const name: JsonValue = "a".repeat(100_000);
    expect(() => service.call(operation, fromJson(operation.input, { name }), new ServerCall())).toThrow(
      expect.objectContaining({ code: "RESOURCE_EXHAUSTED" } satisfies Partial<CallError>),
    );
  });
});

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
