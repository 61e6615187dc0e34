// Errors of the server itself: their callers see INTERNAL without a reason, and listeners in the process get the reason.
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { builtInContract, CallError, onInternalError, ServerCall, type InternalError } from "../src/index.ts";
import { serviceOf } from "../src/calls/service-of.ts";

const contract = builtInContract();
const operation = contract.operation("roundtrip.v1.HelloService.SayHello");

async function heardFrom(handler: () => never): Promise<{ heard: readonly InternalError[]; error: CallError }> {
  const heard: InternalError[] = [];
  const stop = onInternalError((one) => heard.push(one));
  try {
    const service = serviceOf(contract, new Map([[operation.id, async () => handler()]]));
    const answer = Promise.resolve(service.call(operation, create(operation.input, { name: "Ada" }), new ServerCall()));
    const error = await answer.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof CallError)) throw new Error("the call did not fail");
    return { heard, error };
  } finally {
    stop();
  }
}

it("reports its reason and operation to listeners, and not to the caller", async () => {
  const cause = new TypeError("a secret");
  const { heard, error } = await heardFrom(() => {
    throw cause;
  });
  expect(heard).toEqual([{ cause, operation: operation.id }]);
  expect(error).toMatchObject({ code: "INTERNAL", message: "internal error", cause });
});

it("is not an error that a handler means", async () => {
  const { heard, error } = await heardFrom(() => {
    throw new CallError("INTERNAL", "meant");
  });
  expect(heard).toEqual([]);
  expect(error.message).toBe("meant");
});
