// The error of a call that must fail.
import { CallError } from "@roundtrip/contract";

/** Resolves to the CallError that a call rejects with. Rejects when the call succeeds or fails with anything else. */
export async function caught(call: Promise<unknown>): Promise<CallError> {
  let answer: unknown;
  try {
    answer = await call;
  } catch (thrown) {
    if (thrown instanceof CallError) return thrown;
    throw thrown;
  }
  throw new Error(`the call answered ${JSON.stringify(answer)} and should have failed`);
}
