// Whose call it is: calls name their session, and tests that run side by side against one fake never see each other.
import { CallError, type Contract, type Metadata, type Service } from "@roundtrip/contract";
import { sessionMetadataName } from "../basics/session-metadata.ts";
import type { FakeSession } from "./fake-session.ts";

/** When there are more, the one that was used least recently goes. */
export const maxSessions = 1_000;

const maxNameLength = 256;

export interface Sessions {
  /** Answers each call by the session that it names. */
  readonly service: Service;
  /** Those that there are, the one used least recently first. */
  readonly names: readonly string[];
  readonly all: readonly FakeSession[];
  /** Makes the session if nobody has named it before, or if it has gone. Throws INVALID_ARGUMENT for a name that is too long. */
  session(name: string): FakeSession;
}

/** A stream that fails when it is read, as every stream does. */
function failing(refusal: CallError): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(refusal) }) };
}

/**
 * Sessions of a contract.
 * @param make makes one when it is first named.
 * @param onGone hears of one that goes because there are too many.
 */
export function sessionsOf(
  contract: Contract,
  make: (name: string) => FakeSession,
  onGone: (session: FakeSession) => void = () => undefined,
): Sessions {
  // In the order of their last use.
  const sessions = new Map<string, FakeSession>();
  let latest: FakeSession | undefined;

  const madeOf = (name: string): FakeSession => {
    if (name.length > maxNameLength) {
      throw new CallError(
        "INVALID_ARGUMENT",
        `${sessionMetadataName}: a session's name has ${maxNameLength} characters at most`,
      );
    }
    const made = make(name);
    const [[oldestName, oldest] = []] = sessions.size < maxSessions ? [] : sessions;
    if (oldestName !== undefined && oldest !== undefined) {
      sessions.delete(oldestName);
      onGone(oldest);
    }
    return made;
  };
  const sessionOf = (name: string): FakeSession => {
    if (latest?.name === name) return latest;
    latest = sessions.get(name) ?? madeOf(name);
    sessions.delete(name);
    sessions.set(name, latest);
    return latest;
  };
  const named = (metadata: Metadata): Service => sessionOf(metadata.get(sessionMetadataName) ?? "").service;

  return {
    service: {
      contract,
      call: (operation, request, call) => named(call.metadata).call(operation, request, call),
      stream(operation, requests, call) {
        try {
          return named(call.metadata).stream(operation, requests, call);
        } catch (thrown) {
          return failing(CallError.from(thrown));
        }
      },
      // What styles serve beside the contract is the same for everybody.
      guard: (other) => other,
    },
    session: sessionOf,
    get names() {
      return [...sessions.keys()];
    },
    get all() {
      return [...sessions.values()];
    },
  };
}
