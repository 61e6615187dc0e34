// A service answers by handlers: it checks first, runs nothing for nobody, and fails with CallErrors alone.
import { create } from "@bufbuild/protobuf";
import { Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { conformanceContract } from "../../conformance/src/index.ts";
import {
  ConformanceService,
  DownloadRequestSchema,
  DownloadResponseSchema,
  UploadRequestSchema,
  UploadResponseSchema,
} from "../../conformance/src/gen/roundtrip/conformance/v1/conformance_pb.ts";
import { HelloService, SayHelloRequestSchema, SayHelloResponseSchema } from "../src/gen/roundtrip/v1/hello_pb.ts";
import { builtInContract, CallError, handlersOf, ServerCall, type Methods } from "../src/index.ts";
import { serviceOf } from "../src/calls/service-of.ts";

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

it("passes the request and the call to the handler", () => {
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

it("passes on intended errors of a handler and hides others", () => {
  const meant = new CallError("ABORTED", "try again");
  expect(() => throwing(meant).call(operation, hello, new ServerCall())).toThrow(meant);
  expect(() => throwing(new Error("secret")).call(operation, hello, new ServerCall())).toThrow(/^internal error$/);
});

it("rejects with CANCELLED as soon as the caller disconnects, whatever the handler does", async () => {
  const call = new ServerCall();
  const answered = serving(() => new Promise(() => {})).call(operation, hello, call);
  call.cancel();
  await expect(answered).rejects.toEqual(code("CANCELLED"));
});

const notHere = () => {
  throw new CallError("UNIMPLEMENTED", "not here");
};
const others = { echo: notHere, look: notHere, putTree: notHere, converse: notHere };

function items(...indexes: number[]) {
  return Readable.from(indexes.map((index) => create(UploadRequestSchema, { index })));
}

function asking(count: number) {
  return Readable.from([create(DownloadRequestSchema, { count })]);
}

describe("an operation that streams", () => {
  const streams = conformanceContract();
  const upload = streams.operation("roundtrip.conformance.v1.ConformanceService.Upload");
  const download = streams.operation("roundtrip.conformance.v1.ConformanceService.Download");
  const served = serviceOf(
    streams,
    handlersOf(ConformanceService, {
      ...others,
      async *download({ count }) {
        for (let index = 0; index < count; index += 1) yield create(DownloadResponseSchema, { index });
        if (count === 0) throw new Error("secret");
      },
      async upload(requests) {
        const received = await Array.fromAsync(requests);
        return create(UploadResponseSchema, { count: received.length });
      },
    }),
  );

  it("answers one request with many messages", async () => {
    const answers = await Array.fromAsync(served.stream(download, asking(3), new ServerCall()));
    expect(answers).toMatchObject([{ index: 0 }, { index: 1 }, { index: 2 }]);
  });

  it("answers many requests with one message", async () => {
    expect(await Array.fromAsync(served.stream(upload, items(1, 2), new ServerCall()))).toMatchObject([{ count: 2 }]);
  });

  it("fails with INVALID_ARGUMENT at the request that breaks a rule, and without one where one is due", async () => {
    const broken = Array.fromAsync(served.stream(upload, items(1, -1), new ServerCall()));
    await expect(broken).rejects.toEqual(code("INVALID_ARGUMENT"));
    const empty = Array.fromAsync(served.stream(download, Readable.from([]), new ServerCall()));
    await expect(empty).rejects.toEqual(code("INVALID_ARGUMENT"));
  });

  it("hides unintended errors of a handler, and is UNIMPLEMENTED without a handler", async () => {
    const failing = Array.fromAsync(served.stream(download, asking(0), new ServerCall()));
    await expect(failing).rejects.toThrow(/^internal error$/);
    const nobody = Array.fromAsync(serviceOf(streams, new Map()).stream(download, asking(1), new ServerCall()));
    await expect(nobody).rejects.toEqual(code("UNIMPLEMENTED"));
  });

  it("ends with its call", async () => {
    const call = new ServerCall();
    const waiting = Array.fromAsync(served.stream(upload, new Readable({ objectMode: true, read() {} }), call));
    call.cancel();
    await expect(waiting).rejects.toEqual(code("CANCELLED"));
  });
});
