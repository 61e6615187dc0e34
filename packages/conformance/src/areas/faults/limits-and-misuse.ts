// Messages beyond the limits, and bytes that no client sends.
import { create } from "@bufbuild/protobuf";
import { CustomerService, SetCustomerAddressResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { HelloService } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { CallError, type Handlers } from "@roundtrip/contract";
import { type Misuse, misuseTitles } from "@roundtrip/styles";
import type { CaseRun, CaseServer } from "../../case/case-run.ts";
import { casesIn, needing } from "../../case/case.ts";
import { answerFault, expect, expectEqual, expectError } from "../../case/expectations.ts";
import { ConformanceService, EchoRequestSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { echoing, greetingBy } from "../../support/handlers.ts";

// Limits: requests and answers that are too large are refused with one code, and other calls are not affected.

const { setCustomerAddress } = CustomerService.method;
const { sayHello } = HelloService.method;

const limitBytes = 64 * 1024;
// The bytes that a style may add around the value: field names, a query, quotes.
const envelopeBytes = 2 * 1024;

/** Accepts an address of any size that the contract allows, and greets with the number of characters in the name. */
const sizing: Handlers = new Map([
  [
    "roundtrip.v1.CustomerService.SetCustomerAddress",
    () => create(SetCustomerAddressResponseSchema, { address: "taken" }),
  ] as const,
  ...greetingBy((name) => "x".repeat(Number(name))),
]);

function send({ call }: CaseServer, addressBytes: number): Promise<unknown> {
  return call(setCustomerAddress, { id: 1, address: "x".repeat(addressBytes) });
}

async function isWithinLimit(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.code === "RESOURCE_EXHAUSTED") return false;
    throw thrown;
  }
}

/** Finds the largest accepted value, and sends the values on both sides of the limit again. */
async function expectOneByteDecides(isTaken: (valueBytes: number) => Promise<boolean>): Promise<void> {
  let taken = limitBytes - envelopeBytes;
  let refused = limitBytes + 1;
  expect(await isTaken(taken), `a value of ${taken} bytes was refused at a limit of ${limitBytes}`);
  // Bisection, because styles add different numbers of bytes.
  while (refused - taken > 1) {
    const middle = (taken + refused) >>> 1;
    // oxlint-disable-next-line no-await-in-loop
    if (await isTaken(middle)) taken = middle;
    else refused = middle;
  }
  expect(await isTaken(taken), `${taken} bytes were accepted once and refused later`);
  expect(!(await isTaken(taken + 1)), `${taken + 1} bytes were refused once and accepted later`);
}

/** The cases RT-06xx. */
export const limitCases = casesIn("limits", ["hello", "server"], {
  "RT-0601 a request above the limit is RESOURCE_EXHAUSTED, and the next call succeeds": needing(
    ["customers", "server"],
    async (run) => {
      const server = await run.serve(sizing, { maxRequestBytes: limitBytes });
      await expectError(send(server, limitBytes + 1), "RESOURCE_EXHAUSTED");
      await expectError(send(server, 4 * limitBytes), "RESOURCE_EXHAUSTED");
      await send(server, 100);
    },
  ),
  "RT-0602 the largest request within the limit is accepted, and one byte more is refused": needing(
    ["customers", "server"],
    async (run) => {
      const server = await run.serve(sizing, { maxRequestBytes: limitBytes });
      await expectOneByteDecides((bytes) => isWithinLimit(send(server, bytes)));
    },
  ),
  "RT-0603 a request above the limit does not affect other calls in flight on the client": needing(
    ["customers", "hello", "server"],
    async (run) => {
      const gate = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const slow = greetingBy(async () => {
        begun.resolve();
        await gate.promise;
        return "undisturbed";
      });
      const server = await run.serve(new Map([...sizing, ...slow]), { maxRequestBytes: limitBytes, connections: 2 });
      const answer = server.call(sayHello, { name: "World" });
      await begun.promise;
      await expectError(send(server, 2 * limitBytes), "RESOURCE_EXHAUSTED");
      gate.resolve();
      expectEqual((await answer).message, "undisturbed", "message");
    },
  ),
  async "RT-0604 a response above the client's limit is RESOURCE_EXHAUSTED, and the next call succeeds"(run) {
    const { call } = await run.serve(sizing, { maxResponseBytes: limitBytes });
    await expectError(call(sayHello, { name: String(limitBytes + 1) }), "RESOURCE_EXHAUSTED");
    expectEqual((await call(sayHello, { name: "100" })).message.length, 100, "length");
  },
  async "RT-0605 a response just within the client's limit is accepted"(run) {
    const { call } = await run.serve(sizing, { maxResponseBytes: limitBytes });
    const length = limitBytes - envelopeBytes;
    expectEqual((await call(sayHello, { name: String(length) })).message.length, length, "length");
  },
  "RT-0606 a limit above the usual defaults works in both directions": needing(
    ["hello", "customers", "server"],
    async (run) => {
      const server = await run.serve(sizing, { maxRequestBytes: 16 * 2 ** 20, maxResponseBytes: 16 * 2 ** 20 });
      await send(server, 262_144);
      const length = 8 * 2 ** 20;
      expectEqual((await server.call(sayHello, { name: String(length) })).message.length, length, "length");
    },
  ),
  async "RT-0607 the largest response within the limit is accepted, and one byte more is refused"(run) {
    const { call } = await run.serve(sizing, { maxResponseBytes: limitBytes });
    await expectOneByteDecides((length) => isWithinLimit(call(sayHello, { name: String(length) })));
  },
});

// Misuse: malformed bytes are refused as the style says, and the server continues to serve.

const { echo } = ConformanceService.method;
const maxRequestBytes = 64 * 1024;

/** The cases RT-12xx, in the order of the misuses. */
export const misuseCases = casesIn(
  "misuse",
  ["server", "misuse"],
  Object.fromEntries(
    Object.entries(misuseTitles).map(([misuse, title], index) => [
      `RT-12${String(index + 1).padStart(2, "0")} ${title}: answered as the rules say, and the next call succeeds`,
      async (run: CaseRun) => {
        const { call, misuse: attempt } = await run.serveConformance(echoing, { maxRequestBytes });
        const request = create(EchoRequestSchema, { values: { scalars: { int32Value: 1, stringValue: "text" } } });
        const { answer, allowed } = await attempt(misuse as Misuse, echo, request);
        const fault = answerFault(answer, allowed);
        if (fault !== undefined) throw new Error(fault);
        await call(echo, { values: {} });
      },
    ]),
  ),
);
