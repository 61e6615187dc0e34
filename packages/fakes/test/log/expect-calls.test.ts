// Assertions about the number and the order of calls, and their messages.
import { AssertionError } from "node:assert";
import { create, fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { builtInContract, withMetadata } from "@roundtrip/contract";
import {
  type AssertedLog,
  expectCalls,
  expectCallsInOrder,
  expectNotCalled,
  expectRoundTripsAtMost,
} from "../../src/log/expect-calls.ts";
import {
  CustomerService,
  GetCustomerRequestSchema,
  ListCustomersRequestSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { describe, expect, it } from "vitest";
import { createFake } from "../../src/fake/fake.ts";
import { memoryClient } from "@roundtrip/stacks/memory";
import { secretiveContract } from "../support/secretive-contract.ts";

const contract = builtInContract();
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const listCustomers = contract.operation("roundtrip.v1.CustomerService.ListCustomers");

/** The message of a failed assertion. Throws if the assertion holds. */
function messageOf(assertion: () => void): string {
  try {
    assertion();
  } catch (thrown) {
    if (thrown instanceof AssertionError) return thrown.message;
    throw thrown;
  }
  throw new Error("the assertion holds");
}

/** A fake that has been called. */
function called() {
  const fake = createFake({ contract });
  const client = memoryClient(() => fake.service);
  const get = async (
    request: MessageInitShape<typeof GetCustomerRequestSchema>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> => {
    const named = withMetadata(client, new Map(Object.entries(headers)));
    await named
      .prepare(getCustomer)(create(GetCustomerRequestSchema, request))
      .catch(() => undefined);
  };
  const list = async (): Promise<void> => {
    await client.prepare(listCustomers)(create(ListCustomersRequestSchema));
  };
  return { fake, log: fake.log, get, list };
}

describe("expectCalls", () => {
  it("returns the matching calls if their number is as expected", async () => {
    const { log, get } = called();
    await get({ id: 7 }, { "x-user": "ada", authorization: "Bearer 1" });
    await get({ id: 8 }, { "x-user": "bob" });
    const indices = (...args: Parameters<typeof expectCalls> extends [unknown, ...infer R] ? R : never) =>
      expectCalls(log, ...args).map(({ index }) => index);
    expect(indices("GetCustomer")).toEqual([1, 2]);
    expect(indices("GetCustomer", { times: 2 })).toEqual([1, 2]);
    expect(indices("GetCustomer", { times: 1, request: { id: 7 }, headers: { "X-User": "ada" } })).toEqual([1]);
    expect(indices("GetCustomer", { headers: { authorization: "Bearer 1" } })).toEqual([1]);
    expect(indices("GetCustomer", { headers: { authorization: null } })).toEqual([2]);
    expect(indices(CustomerService.method.getCustomer, { headers: { "x-user": { glob: "b*" } } })).toEqual([2]);
    expect(indices("GetCustomer", { atLeast: 1, atMost: 2, outcome: "OK" })).toEqual([1, 2]);
    expect(indices("ListCustomers", { times: 0 })).toEqual([]);
    expect(indices("ListCustomers", { atMost: 3 })).toEqual([]);
  });

  it("lists matching calls, and the differences of the others", async () => {
    const { log, get } = called();
    await get({ id: 7 }, { "x-user": "ada" });
    await get({ id: 7 }, { "x-user": "ada" });
    await get({ id: 8 }, { authorization: "hush" });
    const expected = { times: 1, request: { id: 7 }, headers: { "x-user": "ada" } };
    expect(messageOf(() => expectCalls(log, "GetCustomer", expected))).toBe(
      `roundtrip.v1.CustomerService.GetCustomer was called 2 times with {"id":7} and headers {"x-user":"ada"}, expected 1 time
matching calls:
  #1  OK {"id":7}
  #2  OK {"id":7}
other calls of the operation:
  #3  id: expected 7, got 8
      headers.x-user: expected "ada", got nothing`,
    );
    expect(messageOf(() => expectCalls(log, "GetCustomer", { headers: { authorization: "a" }, atLeast: 1 }))).toContain(
      '#3  headers.authorization: expected "a", got "[redacted]"',
    );
    expect(messageOf(() => expectCalls(log, "GetCustomer", { outcome: "NOT_FOUND" }))).toContain(
      'outcome: expected "NOT_FOUND", got "OK"',
    );
  });

  it("compares hidden fields with what was sent, and shows them masked", async () => {
    const secretive = secretiveContract();
    const signIn = secretive.operation("acme.v1.Door.SignIn");
    const fake = createFake({ contract: secretive });
    const send = memoryClient(() => fake.service).prepare(signIn);
    await send(fromJson(signIn.input, { user: "ada", password: "hush", pin: 4711 }));
    expect(expectCalls(fake.log, "SignIn", { request: { password: "hush", pin: 4711 } })).toHaveLength(1);
    expect(expectCallsInOrder(fake.log, [{ operation: "SignIn", request: { password: "hush" } }])).toHaveLength(1);
    const message = messageOf(() => expectCalls(fake.log, "SignIn", { request: { password: "other", pin: 1 } }));
    expect(message).toContain('password: expected "other", got "[redacted]"');
    expect(message).toContain('pin: expected 1, got "[redacted]"');
    expect(message).not.toMatch(/hush|4711/);
  });

  it("says what was called instead, and which requests were refused", async () => {
    const { fake, log, list } = called();
    await list();
    fake.refusalLog.add({
      session: "",
      server: "rest-express",
      style: "REST",
      client: "127.0.0.1:54321",
      request: "GET /v1/custmers/7",
      outcome: "UNIMPLEMENTED",
      message: "there is nothing at /v1/custmers/7",
      nearest: { operation: getCustomer.id, address: "GET /v1/customers/{id}" },
      nearestField: undefined,
      at: 0,
    });
    expect(messageOf(() => expectCalls(log, "GetCustomer"))).toBe(
      `roundtrip.v1.CustomerService.GetCustomer was called 0 times, expected at least 1 time
the calls were roundtrip.v1.CustomerService.ListCustomers (1×)
requests that were refused before they reached an operation:
  REST GET /v1/custmers/7 from 127.0.0.1: UNIMPLEMENTED: there is nothing at /v1/custmers/7; nearest: GET /v1/customers/{id} (roundtrip.v1.CustomerService.GetCustomer)`,
    );
  });

  it("is not sure about a number if the log has dropped calls", async () => {
    const fake = createFake({ contract, logLimits: { maxRecords: 1, maxBytes: 1_000_000 } });
    const client = memoryClient(() => fake.service);
    for (const id of [7, 7]) await client.prepare(getCustomer)(create(GetCustomerRequestSchema, { id }));
    expect(messageOf(() => expectCalls(fake.log, "GetCustomer", { times: 1 }))).toContain(
      "has dropped the 1 call before",
    );
    expect(expectCalls(fake.log, "GetCustomer")).toHaveLength(1);
  });

  it("finds a request in a stream of requests, by the names of the contract or of JSON", async () => {
    const { fake, log, list } = called();
    const upload = contract.operation("roundtrip.v1.PayloadService.Upload");
    const chunks = [1, 2, 3].map((byte) => create(upload.input, { data: new Uint8Array([byte]) }));
    await Array.fromAsync(memoryClient(() => fake.service).prepareStream(upload)(chunks));
    expect(expectCalls(log, "Upload", { request: { data: "Ag==" } })).toHaveLength(1);
    expect(messageOf(() => expectCalls(log, "Upload", { request: { data: "BA==" } }))).toContain(
      "Upload was called 0 times",
    );
    await list();
    expect(messageOf(() => expectCalls(log, "ListCustomers", { request: { page_size: 5 } }))).toContain("page_size");
  });

  it("refuses unknown operations, fields and counts", () => {
    const { log } = called();
    expect(() => expectCalls(log, "GetCustomr")).toThrow(/no operation "GetCustomr".*GetCustomer/);
    expect(() => expectCalls(log, "GetCustomer", { request: { idd: 1 } })).toThrow(/request\.idd.*no field/);
    expect(() => expectCalls(log, "GetCustomer", { times: -1 })).toThrow(
      "times must be an integer of at least 0, got -1",
    );
    expect(() => expectCalls(log, "GetCustomer", { headers: { host: "a" } })).toThrow("host belongs to the protocols");
  });
});

describe("expectCallsInOrder", () => {
  it("returns the calls of the sequence, whatever other calls are between them", async () => {
    const { log, get, list } = called();
    await get({ id: 7 });
    await list();
    await list();
    await get({ id: 8 });
    const steps = [
      { operation: "GetCustomer" },
      { operation: "ListCustomers" },
      { operation: "GetCustomer", request: { id: 8 } },
    ];
    expect(expectCallsInOrder(log, steps).map(({ index }) => index)).toEqual([1, 2, 4]);
  });

  it("shows the calls that were made, and where the sequence ends", async () => {
    const { log, get, list } = called();
    await get({ id: 7 });
    await list();
    const steps = [{ operation: "ListCustomers" }, { operation: "GetCustomer", request: { id: 7 } }];
    expect(messageOf(() => expectCallsInOrder(log, steps))).toBe(
      `expected 2 calls in this order; the 2nd is missing: roundtrip.v1.CustomerService.GetCustomer with {"id":7} was not called after #2; it was made before that, as #1
calls:
  #1  roundtrip.v1.CustomerService.GetCustomer {"id":7}
  #2  roundtrip.v1.CustomerService.ListCustomers {}   <- 1st`,
    );
  });
});

describe("an expectation with a member that would be ignored", () => {
  const misplaced = { id: 2 } as object;
  it.each([
    ["expectCalls", (log: AssertedLog) => expectCalls(log, "GetCustomer", misplaced)],
    ["expectNotCalled", (log: AssertedLog) => expectNotCalled(log, "GetCustomer", misplaced)],
    [
      "expectNotCalled with a number",
      (log: AssertedLog) => expectNotCalled(log, "GetCustomer", { times: 1 } as object),
    ],
    ["expectCallsInOrder", (log: AssertedLog) => expectCallsInOrder(log, [{ operation: "GetCustomer", ...misplaced }])],
  ])("is refused by %s", (_, assertion) => {
    expect(() => assertion(called().log)).toThrow(
      /^an expectation has no "(?:id|times)" \(valid: .*request, headers, outcome/,
    );
  });
});

it("refuses an unknown outcome", () => {
  const mistyped = { outcome: "OKK" } as object;
  const message = /^unknown outcome "OKK".*\(valid: OK, CANCELLED, .*UNAUTHENTICATED\)$/;
  expect(() => expectCalls(called().log, "GetCustomer", mistyped)).toThrow(message);
});

describe("expectNotCalled", () => {
  it("holds if no call had such a request", async () => {
    const { log, get } = called();
    await get({ id: 1 });
    expect(() => expectNotCalled(log, "GetCustomer", { request: { id: 2 } })).not.toThrow();
    expect(() => expectNotCalled(log, "ListCustomers")).not.toThrow();
  });

  it("shows the call that was made", async () => {
    const { log, get } = called();
    await get({ id: 1 });
    expect(messageOf(() => expectNotCalled(log, "GetCustomer"))).toBe(
      `roundtrip.v1.CustomerService.GetCustomer was called 1 time, expected 0 times
matching calls:
  #1  OK {"id":1}`,
    );
  });
});

describe("expectRoundTripsAtMost", () => {
  it("counts exchanges", async () => {
    const { fake, log, get } = called();
    const requests = [create(GetCustomerRequestSchema, { id: 1 }), create(ListCustomersRequestSchema)];
    await memoryClient(() => fake.service).prepareTogether([getCustomer, listCustomers])(requests);
    expectRoundTripsAtMost(log, 1);
    await get({ id: 1 });
    expectRoundTripsAtMost(log, 2);
    expect(messageOf(() => expectRoundTripsAtMost(log, 1))).toBe(
      "2 round trips, where at most 1 were expected: roundtrip.v1.CustomerService.GetCustomer + roundtrip.v1.CustomerService.ListCustomers, roundtrip.v1.CustomerService.GetCustomer",
    );
  });
});
