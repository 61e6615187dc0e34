// Errors of calls as people write them, in stubs and in fault plans.
import { CallError, type CanonicalCode, canonicalCodes, type ErrorDetails } from "@roundtrip/contract";
import type * as Zod from "zod";
import { lazily } from "./checked.ts";

/** The form of an error. */
export const errorSchema = lazily((z) => {
  const text = z.string().optional();
  const violation = z
    .strictObject({ field: text.describe("The path of the field."), description: text, reason: text })
    .meta({ id: "violation", title: "a violation" });
  const details = z
    .strictObject({
      reason: text,
      domain: text,
      metadata: z.record(z.string(), z.string()).optional(),
      violations: z.array(violation).readonly().optional(),
    })
    .meta({ title: "the details of an error" });
  const code = z.enum(Object.keys(canonicalCodes) as [CanonicalCode, ...CanonicalCode[]]).meta({ title: "error code" });
  return z
    .strictObject({
      code: code.describe("One of the sixteen canonical codes."),
      message: text.describe("For people. Default: the code in words."),
      details: details
        .optional()
        .describe("For programs: the fields of google.rpc.ErrorInfo and google.rpc.BadRequest."),
    })
    .meta({ id: "error", title: "an error" });
});

/** How a call fails. */
export type WrittenError = Zod.infer<ReturnType<typeof errorSchema>>;

/** `NOT_FOUND` → `not found`: the default message of an error. */
function codeWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}

export function callErrorOf({ code, message = codeWords(code), details = {} }: WrittenError): CallError {
  const { violations = [], ...others } = details;
  const whole = violations.map((violation) => ({ field: "", description: "", reason: "", ...violation }));
  return new CallError(code, message, { ...others, violations: whole } as Partial<ErrorDetails>);
}
