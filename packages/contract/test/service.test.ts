// A service answers by handlers: it checks first, runs nothing for nobody, and fails with CallErrors alone.
import { create } from "@bufbuild/protobuf";
import { expect, it, vi } from "vitest";
import { HelloService, SayHelloRequestSchema, SayHelloResponseSchema } from "../src/gen/roundtrip/v1/hello_pb.ts";
import { builtInContract, CallError, handlersOf, ServerCall, type Methods } from "../src/index.ts";
import { serviceOf } from "../src/service-of.ts";

const contract = builtInContract();
const operation = contract.operation("roundtrip.v1.HelloService.SayHello");
const hello = create(SayHelloRequestSchema, { name: "World" });
const answer = create(SayHelloResponseSchema, { message: "hi" });

function serving(sayHello: Methods<typeof HelloService>["sayHello"]) {
  return serviceOf(contract, handlersOf(HelloService, { sayHello }));
}

function throwing(thrown: unknown) {
  return serving(() => {
    throw thrown;
  });
}

const code = (expected: string) => expect.objectContaining({ name: "CallError", code: expected });

it("answers at once when the handler does: no promise is made", () => {
  expect(serving(() => answer).call(operation, hello, new ServerCall())).toBe(answer);
});

it("answers later when the handler does", async () => {
  expect(await serving(() => Promise.resolve(answer)).call(operation, hello, new ServerCall())).toBe(answer);
});

it("hands the handler the request and the call", () => {
  const handler = vi.fn<Methods<typeof HelloService>["sayHello"]>(() => answer);
  const call = new ServerCall(undefined, new Map([["x-tried", "yes"]]));
  void serving(handler).call(operation, hello, call);
  expect(handler).toHaveBeenCalledExactlyOnceWith(hello, call);
});

it("is UNIMPLEMENTED for an operation without a handler", () => {
  const other = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
  expect(() => serving(() => answer).call(other, create(other.input), new ServerCall())).toThrow(code("UNIMPLEMENTED"));
});

it("runs no handler for a request that breaks a rule", () => {
  const handler = vi.fn<Methods<typeof HelloService>["sayHello"]>(() => answer);
  const nameless = create(SayHelloRequestSchema);
  expect(() => serving(handler).call(operation, nameless, new ServerCall())).toThrow(code("INVALID_ARGUMENT"));
  expect(handler).not.toHaveBeenCalled();
});

it("runs no handler for a call that has ended", () => {
  const handler = vi.fn<Methods<typeof HelloService>["sayHello"]>(() => answer);
  const cancelled = new ServerCall();
  cancelled.cancel();
  expect(() => serving(handler).call(operation, hello, new ServerCall(0))).toThrow(code("DEADLINE_EXCEEDED"));
  expect(() => serving(handler).call(operation, hello, cancelled)).toThrow(code("CANCELLED"));
  expect(handler).not.toHaveBeenCalled();
});

it("throws what a handler means and hides what it does not", () => {
  const meant = new CallError("ABORTED", "try again");
  expect(() => throwing(meant).call(operation, hello, new ServerCall())).toThrow(meant);
  expect(() => throwing(new Error("secret")).call(operation, hello, new ServerCall())).toThrow(/^internal error$/);
});

it("rejects with CANCELLED as soon as the caller goes, whatever the handler does", async () => {
  const call = new ServerCall();
  const answered = serving(() => new Promise(() => {})).call(operation, hello, call);
  call.cancel();
  await expect(answered).rejects.toEqual(code("CANCELLED"));
});
