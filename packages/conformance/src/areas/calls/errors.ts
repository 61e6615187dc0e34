// Errors: the same fault has the same code, message and details on every style.
import { CallError, type CanonicalCode, canonicalCodes, type ErrorDetails } from "@roundtrip/contract";
import { CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { HelloService } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn, needing } from "../../case/case.ts";
import { greetingBy } from "../../support/handlers.ts";
import { fullCustomer, keepFree, reservedId, someCustomer } from "../../support/customers.ts";
import { expect, expectEqual, expectError, expectInfo, expectViolations, inTurn } from "../../case/expectations.ts";

// Servers that are not what their callers expect: they send a web page, noise, half an answer or nothing.

/** What each server sends on the first received bytes, before it closes the connection. */
const unrelatedAnswers: Readonly<Record<string, string>> = {
  "a page": "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>",
  "half an answer": 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"values',
  noise: "\0\u0001nonsense\r\n\r\n",
  nothing: "",
};

interface UnrelatedServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a server on loopback that sends the line on every connection and closes it. */
async function startUnrelatedServer(line: string): Promise<UnrelatedServer> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(line, "latin1"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

const { sayHello } = HelloService.method;
const { createCustomer, deleteCustomer, getCustomer, updateCustomer } = CustomerService.method;
const { getCustomerName, setCustomerId, setCustomerName, setCustomerPhoneNumber } = CustomerService.method;

const details: ErrorDetails = {
  reason: "SHOP_CLOSED",
  domain: "conformance.roundtrip.dev",
  // Some keys mean something to JavaScript.
  metadata: {
    opensAt: "09:00",
    "city of work": "Zürich – „Altstadt“",
    empty: "",
    constructor: "c",
    ["__proto__"]: "p",
  },
  violations: [
    { field: "customer.name", description: "must not be „Bob“", reason: "custom.rule" },
    { field: "items[2].price", description: "must be above zero", reason: "int32.gt" },
  ],
};

/** Calls a server whose handler throws this. */
async function callFailing(run: CaseRun, thrown: () => unknown, code: CanonicalCode): Promise<CallError> {
  const failing = greetingBy(() => {
    throw thrown();
  });
  const { call } = await run.serve(failing);
  return expectError(call(sayHello, { name: "World" }), code);
}

const secret = "password=hunter2 at /srv/app/secret.ts:7";

/** The cases RT-04xx. RT-0411 to RT-0426 are the canonical codes by their numbers 1 to 16. */
export const errorCases = casesIn("errors", ["customers"], {
  async "RT-0401 a missing customer is NOT_FOUND, with reason, domain and id"(run) {
    const id = reservedId(run);
    await keepFree(run, id);
    const calls = [
      run.call(getCustomer, { id }),
      run.call(getCustomerName, { id }),
      run.call(deleteCustomer, { id }),
      run.call(setCustomerId, { id, newId: id }),
      run.call(updateCustomer, { customer: { ...fullCustomer, id } }),
    ];
    for (const error of await Promise.all(calls.map((call) => expectError(call, "NOT_FOUND")))) {
      expectInfo(error, {
        reason: "CUSTOMER_NOT_FOUND",
        domain: "roundtrip.dev",
        metadata: { id: String(id) },
      });
    }
  },
  async "RT-0402 creating a customer twice is ALREADY_EXISTS, and the first one is unchanged"(run) {
    const { id } = await someCustomer(run);
    const error = await expectError(run.call(createCustomer, { customer: { id, name: "Eve" } }), "ALREADY_EXISTS");
    expectInfo(error, { reason: "CUSTOMER_EXISTS", domain: "roundtrip.dev", metadata: { id: String(id) } });
    expectEqual((await run.call(getCustomer, { id })).name, fullCustomer.name, "name");
  },
  async "RT-0403 taking the id of another customer is ALREADY_EXISTS, and both are unchanged"(run) {
    const one = await someCustomer(run, { name: "one" }, 0);
    const two = await someCustomer(run, { name: "two" }, 1);
    await expectError(run.call(setCustomerId, { id: one.id, newId: two.id }), "ALREADY_EXISTS");
    expectEqual(await run.call(getCustomer, { id: one.id }), one, "the first");
    expectEqual(await run.call(getCustomer, { id: two.id }), two, "the second");
  },
  "RT-0404 a request that breaks one rule is INVALID_ARGUMENT and names the field and the rule": needing(
    ["hello", "customers"],
    async (run) => {
      await expectViolations(run.call(sayHello, { name: "" }), [{ field: "name", reason: "string.min_len" }]);
      const tooLong = "x".repeat(201);
      await expectViolations(run.call(sayHello, { name: tooLong }), [{ field: "name", reason: "string.max_len" }]);
      await inTurn([0, -1, -(2 ** 31)], (id) =>
        expectViolations(run.call(getCustomer, { id }), [{ field: "id", reason: "int32.gt" }]),
      );
    },
  ),
  async "RT-0405 a request that breaks several rules names all of them, in the contract's order"(run) {
    const customer = { id: 0, name: "x".repeat(201), vatIdentificationNumber: "lower case", phoneNumber: "call me" };
    await expectViolations(run.call(createCustomer, { customer }), [
      { field: "customer.id", reason: "int32.gt" },
      { field: "customer.name", reason: "string.max_len" },
      { field: "customer.vat_identification_number", reason: "string.pattern" },
      { field: "customer.phone_number", reason: "string.pattern" },
    ]);
  },
  async "RT-0406 a missing required message is INVALID_ARGUMENT, and the error names it"(run) {
    await expectViolations(run.call(createCustomer, {}), [{ field: "customer", reason: "required" }]);
  },
  async "RT-0407 a write that is refused changes nothing"(run) {
    const before = await someCustomer(run);
    const customer = { id: before.id, name: "Eve", phoneNumber: "call me" };
    await expectViolations(run.call(updateCustomer, { customer }), [
      { field: "customer.phone_number", reason: "string.pattern" },
    ]);
    expectEqual(await run.call(getCustomer, { id: before.id }), before, "customer");
  },
  "RT-0408 an operation that the server does not implement is UNIMPLEMENTED, and others continue": needing(
    ["hello", "customers", "server"],
    async (run) => {
      const { call } = await run.serve(greetingBy((name) => name));
      await expectError(call(getCustomer, { id: 1 }), "UNIMPLEMENTED");
      expectEqual((await call(sayHello, { name: "still here" })).message, "still here", "message");
    },
  ),
  async "RT-0409 a write without its value is INVALID_ARGUMENT, names the field and changes nothing; an empty value is valid"(
    run,
  ) {
    const before = await someCustomer(run);
    const { id } = before;
    await expectViolations(run.call(setCustomerName, { id }), [{ field: "name", reason: "required" }]);
    await expectViolations(run.call(setCustomerPhoneNumber, { id }), [{ field: "phone_number", reason: "required" }]);
    expectEqual(await run.call(getCustomer, { id }), before, "customer");
    expectEqual((await run.call(setCustomerName, { id, name: "" })).name, "", "the name as written");
    expectEqual((await run.call(getCustomer, { id })).name, "", "the name as read");
  },
  ...Object.fromEntries(
    (Object.keys(canonicalCodes) as CanonicalCode[]).map((code, index) => [
      `RT-04${11 + index} ${code} arrives with its message, reason, domain, metadata and violations`,
      needing(["hello", "server"], async (run) => {
        const message = `the shop is closed: „${code}“, 100 % of a%20b`;
        const error = await callFailing(run, () => new CallError(code, message, details), code);
        expectEqual(error.message, message, "message");
        expectEqual(error.details, details, "details");
      }),
    ]),
  ),
  "RT-0431 an error without details arrives without details": needing(["hello", "server"], async (run) => {
    const error = await callFailing(run, () => new CallError("ABORTED", "try again"), "ABORTED");
    expectEqual(error.message, "try again", "message");
    expectEqual(error.details, { reason: "", domain: "", metadata: {}, violations: [] }, "details");
  }),
  "RT-0432 an unexpected error of a handler is INTERNAL, and its text stays on the server": needing(
    ["hello", "server"],
    async (run) => {
      const error = await callFailing(run, () => new TypeError(secret), "INTERNAL");
      const shown = JSON.stringify([error.message, error.details]);
      expect(!shown.includes("hunter2") && !shown.includes("secret.ts"), `the error contains ${shown}`);
    },
  ),
  "RT-0433 a handler that rejects later fails like one that throws at once": needing(
    ["hello", "server"],
    async (run) => {
      const { call } = await run.serve(
        greetingBy(async () => {
          await new Promise((resolve) => setImmediate(resolve));
          throw new CallError("FAILED_PRECONDITION", "not yet", details);
        }),
      );
      const error = await expectError(call(sayHello, { name: "World" }), "FAILED_PRECONDITION");
      expectEqual(error.details, details, "details");
    },
  ),
  "RT-0434 a call after a failed one on the same connection succeeds": needing(["hello"], async (run) => {
    await expectError(run.call(sayHello, { name: "" }), "INVALID_ARGUMENT");
    expectEqual((await run.call(sayHello, { name: "World" })).message, "Hello, World!", "message");
  }),
  "RT-0435 an answer of an unrelated server is UNKNOWN or UNAVAILABLE, and never a value": needing(
    ["hello", "server", "misuse"],
    async (run) => {
      const { callAt } = await run.serve(new Map());
      await inTurn(Object.entries(unrelatedAnswers), async ([name, line]) => {
        const { url, stop } = await startUnrelatedServer(line);
        run.afterwards(stop);
        const answer = callAt(url, sayHello, { name: "World" }).catch((thrown: unknown) => thrown);
        const got = await answer;
        const isRefused = got instanceof CallError && (got.code === "UNKNOWN" || got.code === "UNAVAILABLE");
        expect(isRefused, `${name}: got ${got instanceof CallError ? got.code : "an answer"}`);
      });
    },
  ),
});
