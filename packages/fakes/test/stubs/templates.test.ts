// Templates: answers of stubs that take parts of the call.
import { builtInContract, ServerCall, type CallError } from "@roundtrip/contract";
import { create, fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { parseStubs } from "../../src/stubs/read-stubs.ts";
import { stubbing } from "../../src/stubs/stubbing.ts";
import { call, serviceBehind, stream } from "./support/calls.ts";

const contract = builtInContract();
const sayHello = "roundtrip.v1.HelloService.SayHello";
const updateCustomer = "roundtrip.v1.CustomerService.UpdateCustomer";
const download = "roundtrip.v1.PayloadService.Download";

function stubbed(text: string) {
  return stubbing(contract, parseStubs(text, "stubs.yaml", contract))(serviceBehind(contract));
}

/** A call with a header. */
function withId(id: string): ServerCall {
  return new ServerCall(undefined, new Map([["x-id", id]]));
}

describe("a template", () => {
  it("puts fields of the request into texts", async () => {
    const service = stubbed(
      'operation: SayHello\ntemplate: true\nresponse: { message: "Hello, {{request.name}} {{ request.name }}!" }',
    );
    expect(await call(service, sayHello, { name: "Ada" })).toEqual({ message: "Hello, Ada Ada!" });
    expect(await call(service, sayHello, { name: "{{request.name}}" })).toEqual({
      message: "Hello, {{request.name}} {{request.name}}!",
    });
  });

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

  it("leaves braces alone where no template is asked for", async () => {
    const service = stubbed('operation: SayHello\nresponse: { message: "{{request.name}}" }');
    expect(await call(service, sayHello, { name: "Ada" })).toEqual({ message: "{{request.name}}" });
  });

  it.each<readonly [string, string]>([
    ["{{request.nam}}", 'stubs.yaml:3:13: response.message: roundtrip.v1.SayHelloRequest has no field "nam"'],
    ["{{name}}", "response.message: unknown placeholder {{name}} (valid: {{request.FIELD}} and {{headers.NAME}})"],
    ["{{request.name.first}}", 'name has no field "first"'],
  ])("with %s is refused", (text, message) => {
    const stub = `operation: SayHello\ntemplate: true\nresponse: { message: "${text}" }`;
    expect(() => parseStubs(stub, "stubs.yaml", contract)).toThrow(message);
  });

  it("is refused if no request can fill it", () => {
    const stub = 'operation: GetCustomer\ntemplate: true\nresponse: { id: "{{request.id}} x" }';
    expect(() => parseStubs(stub, "stubs.yaml", contract)).toThrow("response.id: expected an int32");
  });

  it("fails a call whose answer would be too large", () => {
    const many = "{{request.name}}".repeat(100);
    const service = stubbed(`operation: SayHello\ntemplate: true\nresponse: { message: "${many}" }`);
    const operation = contract.operation(sayHello);
    const name: JsonValue = "a".repeat(100_000);
    expect(() => service.call(operation, fromJson(operation.input, { name }), new ServerCall())).toThrow(
      expect.objectContaining({ code: "RESOURCE_EXHAUSTED" } satisfies Partial<CallError>),
    );
    expect(toJson(operation.input, create(operation.input))).toEqual({});
  });
});
