// A CallError keeps all its details; any other error shows the caller nothing.
import { expect, it } from "vitest";
import { CallError, maxErrorText } from "../src/basics/call-error.ts";

it("is passed on as it is", () => {
  const error = new CallError("NOT_FOUND", "nobody", { reason: "GONE" });
  expect(CallError.from(error)).toBe(error);
});

it.each([[new TypeError("password=hunter2")], ["password=hunter2"], [undefined], [{ code: "NOT_FOUND" }]])(
  "keeps what was thrown by accident (%s) as the cause and out of the message",
  (thrown) => {
    const error = CallError.from(thrown);
    const { code, message, cause, details } = error;
    expect({ code, message, cause, details }).toEqual({
      code: "INTERNAL",
      message: "internal error",
      cause: thrown,
      details: { reason: "", domain: "", metadata: {}, violations: [] },
    });
  },
);

it("has empty details where none were given", () => {
  expect(new CallError("ABORTED", "again", { reason: "RACE" }).details).toEqual({
    reason: "RACE",
    domain: "",
    metadata: {},
    violations: [],
  });
});

it("is an Error with a name, a stack and a cause", () => {
  const cause = new Error("below");
  const error = new CallError("DATA_LOSS", "gone", {}, { cause });
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).toBe("CallError: gone");
  expect(error.cause).toBe(cause);
});

it("cuts texts that repeat what a caller sent, never within a character", () => {
  const long = "👋".repeat(maxErrorText);
  const { message, details } = new CallError("NOT_FOUND", long, {
    violations: [{ field: `x${long}`, description: long, reason: "r" }],
  });
  expect(message).toBe(`${"👋".repeat(maxErrorText / 2)}…`);
  expect(details.violations).toEqual([
    { field: `x${"👋".repeat(maxErrorText / 2 - 1)}…`, description: message, reason: "r" },
  ]);
  expect(new CallError("ABORTED", "x".repeat(maxErrorText)).message).toHaveLength(maxErrorText);
});
