// Typed functions and constants as answers to some operations.
import { builtInContract, handlersOf, type Handlers, type Service } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import { ConformanceService } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { fakeHandlers } from "../src/handlers/fake-handlers.ts";
import { handling } from "../src/handlers/handling.ts";
import { call, serviceBehind, stream } from "./stubs/support/calls.ts";

const contract = builtInContract();
const sayHello = "roundtrip.v1.HelloService.SayHello";
const getCustomer = "roundtrip.v1.CustomerService.GetCustomer";
const madeUp = handlersOf(HelloService, {
  sayHello: ({ name }) => create(SayHelloResponseSchema, { message: `made up: ${name}` }),
});

function handled(handlers: Handlers): Service {
  return handling(handlers)(serviceBehind(contract, madeUp));
}

describe("a handler", () => {
  it("answers some operations of a service, and passes others on", async () => {
    const service = handled(fakeHandlers(CustomerService, { getCustomer: ({ id }) => ({ id, name: "Ada" }) }));
    expect(await call(service, getCustomer, { id: 7 })).toEqual({ id: 7, name: "Ada" });
    expect(await call(service, sayHello, { name: "Ada" })).toEqual({ message: "made up: Ada" });
    expect(await call(service, "roundtrip.v1.CustomerService.DeleteCustomer", { id: 7 })).toMatch(/^UNIMPLEMENTED/);
  });

  it("is rejected for a method that the service does not have, with the nearest name", () => {
    const misspelt: object = { getCustomr: { id: 7 } };
    expect(() => fakeHandlers(CustomerService, misspelt)).toThrow(
      'roundtrip.v1.CustomerService has no method "getCustomr"; did you mean "getCustomer"?',
    );
  });

  it("can call the answer behind it, with another request too, and change it", async () => {
    const service = handled(
      fakeHandlers(HelloService, {
        sayHello: async (request, _context, behind) => {
          const { message } = await behind({ ...request, name: request.name.toUpperCase() });
          return { message: `${message}!` };
        },
      }),
    );
    expect(await call(service, sayHello, { name: "Ada" })).toEqual({ message: "made up: ADA!" });
  });

  it("receives errors from behind it", async () => {
    const service = handled(
      fakeHandlers(CustomerService, {
        getCustomer: (request, _context, behind) => behind(request).catch(() => ({ id: 1, name: "nobody" })),
      }),
    );
    expect(await call(service, getCustomer, { id: 7 })).toEqual({ id: 1, name: "nobody" });
  });

  it("is rejected for an operation that the contract lacks, with the nearest name", () => {
    const misspelt = new Map([["roundtrip.v1.HelloService.SayHelo", () => create(SayHelloResponseSchema)]]);
    expect(() => handled(misspelt)).toThrow(
      'the contract has no operation "roundtrip.v1.HelloService.SayHelo"; did you mean "roundtrip.v1.HelloService.SayHello"?',
    );
  });
});

function idOf(name: string): string {
  return `roundtrip.conformance.v1.ConformanceService.${name}`;
}

describe("handlers of streams", () => {
  const conformance = conformanceContract();
  const around = (handlers: Parameters<typeof fakeHandlers<typeof ConformanceService>>[1], inner?: Service) =>
    handling(fakeHandlers(ConformanceService, handlers))(inner ?? serviceBehind(conformance));

  it("can be constants of each kind", async () => {
    const service = around({
      download: [{ index: 1 }, { index: 2 }],
      upload: { count: 3 },
      converse: [{ text: "hi" }],
    });
    expect(await stream(service, idOf("Download"), [{}])).toEqual([{ index: 1 }, { index: 2 }]);
    expect(await stream(service, idOf("Upload"), [{}, {}, {}])).toEqual([{ count: 3 }]);
    expect(await stream(service, idOf("Converse"), [])).toEqual([{ text: "hi" }]);
  });

  it("can be functions of each kind, and call the answer behind them", async () => {
    const inner = around({
      async *download({ count }) {
        for (let index = 0; index < count; index += 1) yield { index };
      },
      async upload(requests) {
        let count = 0;
        for await (const { index } of requests) count += index;
        return { count };
      },
      async *converse(requests) {
        for await (const { text } of requests) yield { text: `made up: ${text}` };
      },
    });
    const service = around(
      {
        async *download(request, _context, behind) {
          for await (const { index } of behind(request)) yield { index: index + 10 };
        },
        upload: async (requests, _context, behind) => ({ count: 100 + (await behind(requests)).count }),
        converse: (requests, _context, behind) => behind(requests),
      },
      inner,
    );
    expect(await stream(service, idOf("Download"), [{ count: 2 }])).toEqual([{ index: 10 }, { index: 11 }]);
    expect(await stream(service, idOf("Upload"), [{ index: 1 }, { index: 2 }])).toEqual([{ count: 103 }]);
    expect(await stream(service, idOf("Converse"), [{ text: "a" }])).toEqual([{ text: "made up: a" }]);
  });
});
