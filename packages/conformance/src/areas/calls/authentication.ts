// Authentication: the token is checked before the request, in the same order on every style.
import { create } from "@bufbuild/protobuf";
import { CallError, type Metadata, type Interceptor, type CallContext } from "@roundtrip/contract";
import { ConformanceService, DownloadResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { CustomerService, GetCustomerNameResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { servingSome, someHandlersOf } from "../../support/handlers.ts";
import type { CaseRun, CaseServerOptions } from "../../case/case-run.ts";
import { casesIn, needing } from "../../case/case.ts";
import { expect, expectEqual, expectError, expectViolations } from "../../case/expectations.ts";

const { getCustomerName, setCustomerAddress } = CustomerService.method;
const { download } = ConformanceService.method;

const reader = { metadata: new Map([["authorization", "Bearer reader"]]) };
const admin = { metadata: new Map([["authorization", "Bearer admin"]]) };
const missing = 404;

/** Accepts two tokens; only one of them permits every operation. */
function judge({ metadata, answerMetadata }: CallContext): void {
  answerMetadata.set("x-request-id", metadata.get("x-request-id") ?? "made");
  const authorization = metadata.get("authorization");
  if (authorization === "Bearer admin") return;
  if (authorization === "Bearer reader") throw new CallError("PERMISSION_DENIED", "the caller may not do this");
  throw new CallError("UNAUTHENTICATED", "a valid bearer token is required");
}

const guarded: Interceptor = (service) => ({
  contract: service.contract,
  guard: (other) => guarded(service.guard(other)),
  call(operation, request, call) {
    judge(call);
    return service.call(operation, request, call);
  },
  stream(operation, requests, call) {
    judge(call);
    return service.stream(operation, requests, call);
  },
});

/** Serves one operation behind the guard, and counts how often it runs. */
async function guardedServer(run: CaseRun, settings?: CaseServerOptions) {
  let runs = 0;
  const handlers = someHandlersOf(CustomerService, {
    getCustomerName({ id }) {
      runs += 1;
      if (id === missing) throw new CallError("NOT_FOUND", "no such customer");
      return create(GetCustomerNameResponseSchema, { name: "Ada" });
    },
  });
  return { ...(await run.serve(handlers, { ...settings, intercept: guarded })), runs: () => runs };
}

/** The cases RT-14xx. */
export const authenticationCases = casesIn("authentication", ["customers", "server", "metadata"], {
  async "RT-1401 a call with a missing or wrong token is UNAUTHENTICATED, and no handler runs"(run) {
    const { call, runs } = await guardedServer(run);
    const wrong = { metadata: new Map([["authorization", "Bearer wrong"]]) };
    const { message, details } = await expectError(call(getCustomerName, { id: 1 }, wrong), "UNAUTHENTICATED");
    expect(!JSON.stringify([message, details]).includes("wrong"), "the error contains the token");
    await expectError(call(getCustomerName, { id: 1 }), "UNAUTHENTICATED");
    await call(getCustomerName, { id: 1 }, admin);
    expectEqual(runs(), 1, "handlers run");
  },
  async "RT-1402 a call with the right token is answered"(run) {
    const { call } = await guardedServer(run);
    expectEqual((await call(getCustomerName, { id: 1 }, admin)).name, "Ada", "name");
  },
  async "RT-1403 a caller without permission gets PERMISSION_DENIED, whether or not the resource exists"(run) {
    const { call, runs } = await guardedServer(run);
    const there = await expectError(call(getCustomerName, { id: 1 }, reader), "PERMISSION_DENIED");
    const notThere = await expectError(call(getCustomerName, { id: missing }, reader), "PERMISSION_DENIED");
    expectEqual([notThere.message, notThere.details], [there.message, there.details], "error");
    expectEqual(runs(), 0, "handlers run");
    await expectError(call(getCustomerName, { id: missing }, admin), "NOT_FOUND");
  },
  async "RT-1404 authentication comes before the contract's rules"(run) {
    const { call } = await guardedServer(run);
    await expectError(call(getCustomerName, { id: 0 }), "UNAUTHENTICATED");
    await expectError(call(getCustomerName, { id: 0 }, reader), "PERMISSION_DENIED");
    await expectViolations(call(getCustomerName, { id: 0 }, admin), [{ field: "id", reason: "int32.gt" }]);
  },
  async "RT-1405 a request that is too large is RESOURCE_EXHAUSTED, with or without a token"(run) {
    const { call } = await guardedServer(run, { maxRequestBytes: 16 * 1024 });
    const address = "x".repeat(32 * 1024);
    await expectError(call(setCustomerAddress, { id: 1, address }), "RESOURCE_EXHAUSTED");
    await expectError(call(setCustomerAddress, { id: 1, address: "small" }), "UNAUTHENTICATED");
    await expectError(call(setCustomerAddress, { id: 1, address }, admin), "RESOURCE_EXHAUSTED");
    await expectError(call(setCustomerAddress, { id: 1, address: "small" }, admin), "UNIMPLEMENTED");
  },
  async "RT-1406 authentication comes before UNIMPLEMENTED"(run) {
    const { call } = await run.serve(new Map(), { intercept: guarded });
    await expectError(call(getCustomerName, { id: 1 }), "UNAUTHENTICATED");
    await expectError(call(getCustomerName, { id: 1 }, admin), "UNIMPLEMENTED");
  },
  "RT-1407 authentication of a stream comes before its first item": needing(
    ["server", "metadata", "serverStream"],
    async (run) => {
      const { stream } = await servingSome(
        run,
        {
          async *download() {
            yield create(DownloadResponseSchema, { index: 1 });
          },
        },
        { intercept: guarded },
      );
      await expectError(Array.fromAsync(stream(download, [{}])), "UNAUTHENTICATED");
      await expectError(Array.fromAsync(stream(download, [{}], reader)), "PERMISSION_DENIED");
      expectEqual((await Array.fromAsync(stream(download, [{}], admin))).length, 1, "items");
    },
  ),
  async "RT-1408 metadata of an interceptor is sent with answers and with errors"(run) {
    const { call } = await guardedServer(run);
    const received: (string | undefined)[] = [];
    const onMetadata = (metadata: Metadata): void => void received.push(metadata.get("x-request-id"));
    const withId = (id: string) => ({ onMetadata, metadata: new Map([...admin.metadata, ["x-request-id", id]]) });
    await call(getCustomerName, { id: 1 }, withId("1"));
    await expectError(call(getCustomerName, { id: missing }, withId("2")), "NOT_FOUND");
    await expectError(call(getCustomerName, { id: 0 }, withId("3")), "INVALID_ARGUMENT");
    await expectError(call(getCustomerName, { id: 1 }, { onMetadata }), "UNAUTHENTICATED");
    expectEqual(received, ["1", "2", "3", "made"], "request ids");
  },
});
