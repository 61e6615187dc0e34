// A CallError keeps all its details; any other error shows the caller nothing.
import { expect, it } from "vitest";
import { CallError, maxDetailsText, maxErrorText } from "../src/basics/call-error.ts";

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
    reason: long,
    domain: long,
    metadata: { [long]: long, id: "7" },
    violations: [{ field: `x${long}`, description: long, reason: long }],
  });
  const short = `${"👋".repeat(maxErrorText / 2)}…`;
  expect(message).toBe(short);
  expect(details).toEqual({
    reason: short,
    domain: short,
    metadata: { [short]: short, id: "7" },
    violations: [{ field: `x${"👋".repeat(maxErrorText / 2 - 1)}…`, description: short, reason: short }],
  });
  expect(new CallError("ABORTED", "x".repeat(maxErrorText)).message).toHaveLength(maxErrorText);
});

it("leaves out what is too much of metadata and violations together", () => {
  const text = "x".repeat(maxErrorText);
  const violations = Array.from({ length: 1_000 }, (_, at) => ({ field: `f${at}`, description: text, reason: "r" }));
  const metadata = Object.fromEntries(violations.map(({ field }) => [field, text]));
  const few = new CallError("INVALID_ARGUMENT", "", { violations }).details;
  expect(few.violations).toEqual(violations.slice(0, few.violations.length));
  expect(few.violations.length).toBeGreaterThan(60);
  const { details } = new CallError("INVALID_ARGUMENT", "", { metadata, violations });
  expect(JSON.stringify(details).length).toBeLessThan(1.2 * maxDetailsText);
  const small = violations.map(({ field }) => ({ field, description: "unknown", reason: "r" }));
  expect(new CallError("INVALID_ARGUMENT", "", { violations: small }).details.violations).toEqual(small);
});
