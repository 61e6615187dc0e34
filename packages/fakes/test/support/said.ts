// What an assertion says when it fails.
import { AssertionError } from "node:assert";

/** The message of a failed assertion. Throws if the assertion holds. */
export function said(assertion: () => void): string {
  try {
    assertion();
  } catch (thrown) {
    if (thrown instanceof AssertionError) return thrown.message;
    throw thrown;
  }
  throw new Error("the assertion holds");
}
