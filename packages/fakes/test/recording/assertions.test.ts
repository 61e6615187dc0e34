// Assertions about calls, and their error messages.
import { create } from "@bufbuild/protobuf";
import { builtInContract, type Operation } from "@roundtrip/contract";
import { CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService } from "@roundtrip/service";
import { describe, expect, it } from "vitest";
import { memoryClient } from "../../src/memory/memory-client.ts";
import { expectCalled, expectNotCalled, expectRoundTripsAtMost } from "../../src/recording/assertions.ts";
import { CallLog, type CallLogLimits } from "../../src/recording/call-log.ts";
import { recording } from "../../src/recording/recording.ts";
import { said } from "../support/said.ts";

const contract = builtInContract();
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const listCustomers = contract.operation("roundtrip.v1.CustomerService.ListCustomers");
const upload = contract.operation("roundtrip.v1.PayloadService.Upload");

/** A log with a client of the logged service. */
function recorded(limits?: CallLogLimits) {
  const log = new CallLog(contract, limits);
  const client = memoryClient(() => recording(log, { name: "", mayChange: () => false })(realService(contract)));
  const call = async (operation: Operation, request: Readonly<Record<string, unknown>>): Promise<void> => {
    await client
      .prepare(operation)(create(operation.input, request))
      .catch(() => undefined);
  };
  return { log, client, call };
}

describe("expectCalled", () => {
  it("returns the calls with such a request", async () => {
    const { log, call } = recorded();
    await call(getCustomer, { id: 1 });
    await call(getCustomer, { id: 2 });
    await call(getCustomer, { id: 1, readMask: { paths: ["name"] } });
    expect(expectCalled(log, getCustomer.id, { id: 1 }).map(({ index }) => index)).toEqual([1, 3]);
    expect(expectCalled(log, getCustomer.id, { readMask: "name" }).map(({ index }) => index)).toEqual([3]);
    expect(expectCalled(log, "GetCustomer")).toHaveLength(3);
  });

  it("accepts the method of a generated service", async () => {
    const { log, call } = recorded();
    await call(getCustomer, { id: 1 });
    expect(expectCalled(log, CustomerService.method.getCustomer, { id: 1 })).toHaveLength(1);
  });

  it("finds a request in a stream of requests", async () => {
    const { log, client } = recorded();
    const chunks = [1, 2, 3].map((byte) => create(upload.input, { data: new Uint8Array([byte]) }));
    await Array.fromAsync(client.prepareStream(upload)(chunks));
    expect(expectCalled(log, "Upload", { data: "Ag==" })).toHaveLength(1);
    expect(said(() => expectCalled(log, "Upload", { data: "BA==" }))).toContain("Upload was not called with");
  });

  it("shows the nearest call and the differences", async () => {
    const { log, call } = recorded();
    await call(listCustomers, { pageSize: 5 });
    await call(listCustomers, { pageSize: 10, pageToken: "x" });
    expect(said(() => expectCalled(log, "ListCustomers", { pageSize: 10, pageToken: "y" }))).toBe(
      'roundtrip.v1.CustomerService.ListCustomers was not called with {"pageSize":10,"pageToken":"y"}: the nearest of 2 calls is #2, where pageToken is "x"',
    );
    expect(said(() => expectCalled(log, "ListCustomers", { page_size: 0 }))).toContain("page_size is 5");
  });

  it("shows the calls that were made instead", async () => {
    const { log, call } = recorded();
    expect(said(() => expectCalled(log, "GetCustomer", { id: 1 }))).toBe(
      'roundtrip.v1.CustomerService.GetCustomer was not called with {"id":1}: there were no calls',
    );
    await call(listCustomers, {});
    await call(listCustomers, {});
    expect(said(() => expectCalled(log, "GetCustomer"))).toBe(
      "roundtrip.v1.CustomerService.GetCustomer was not called: the calls were roundtrip.v1.CustomerService.ListCustomers (2×)",
    );
  });

  it("reports dropped calls", async () => {
    const { log, call } = recorded({ maxRecords: 1, maxBytes: 1_000_000 });
    await call(getCustomer, { id: 1 });
    await call(getCustomer, { id: 2 });
    expect(said(() => expectCalled(log, "GetCustomer", { id: 1 }))).toContain("has dropped the 1 call before");
  });

  it("rejects unknown operations and fields, and suggests names", () => {
    const { log } = recorded();
    expect(() => expectCalled(log, "GetCustomr")).toThrow(/no operation "GetCustomr".*GetCustomer/);
    expect(() => expectCalled(log, "GetCustomer", { idd: 1 })).toThrow(/idd/);
  });
});

describe("expectNotCalled", () => {
  it("holds if no call had such a request", async () => {
    const { log, call } = recorded();
    await call(getCustomer, { id: 1 });
    expect(() => expectNotCalled(log, "GetCustomer", { id: 2 })).not.toThrow();
    expect(() => expectNotCalled(log, "ListCustomers")).not.toThrow();
  });

  it("shows the call that was made", async () => {
    const { log, call } = recorded();
    await call(getCustomer, { id: 1 });
    expect(said(() => expectNotCalled(log, "GetCustomer"))).toBe(
      'roundtrip.v1.CustomerService.GetCustomer was called, as call #1 with {"id":1}',
    );
  });

  it("fails if the log has dropped calls", async () => {
    const { log, call } = recorded({ maxRecords: 1, maxBytes: 1_000_000 });
    await call(getCustomer, { id: 1 });
    await call(getCustomer, { id: 2 });
    expect(said(() => expectNotCalled(log, "ListCustomers"))).toContain("it is unknown whether");
  });
});

describe("expectRoundTripsAtMost", () => {
  it("counts exchanges", async () => {
    const { log, client, call } = recorded();
    const one: Readonly<Record<string, unknown>> = { id: 1 };
    const customerOne = create(getCustomer.input, one);
    await client.prepareTogether([getCustomer, listCustomers])([customerOne, create(listCustomers.input)]);
    expectRoundTripsAtMost(log, 1);
    await call(getCustomer, { id: 1 });
    expectRoundTripsAtMost(log, 2);
    expect(said(() => expectRoundTripsAtMost(log, 1))).toBe(
      "2 round trips, where at most 1 were expected: roundtrip.v1.CustomerService.GetCustomer + roundtrip.v1.CustomerService.ListCustomers, roundtrip.v1.CustomerService.GetCustomer",
    );
  });
});
