// Assigns calls to sessions by the name in their metadata, so that parallel tests against one fake do not affect each other.
import { CallError, type Contract, currentLoop, ownTurn, type ServerCall, type Service } from "@roundtrip/contract";
import { sessionMetadataName } from "../basics/names.ts";
import type { FaultPlan } from "../faults/fault-schema.ts";
import type { CallLog } from "../log/call-log.ts";
import type { EarlierService } from "../resources/reread.ts";
import type { Stub } from "../stubs/stub-schema.ts";

/** What one session has beside the options of its fake. */
export interface OwnOptions {
  /** They take precedence over the fake's stubs. */
  readonly stubs: readonly Stub[];
  /** Replaces the fake's plan; undefined for a session that follows the fake. */
  readonly faults: FaultPlan | undefined;
}

export const nothingOwn: OwnOptions = { stubs: [], faults: undefined };

export interface FakeSession {
  readonly name: string;
  readonly service: Service;
  readonly log: CallLog;
  readonly own: OwnOptions;
  /** The service behind its layers, which has its state. */
  readonly behind: Service;
  /**
   * Replaces these options of this session only. Its stub sequences and fault attempts restart; other sessions go on. Throws a FakeError, and changes
   * nothing, if they do not fit the contract.
   */
  use(own: Partial<OwnOptions>): void;
  /** Clears calls, resources, counters and the session's own options: the next call finds the session as the first one did. */
  reset(): void;
  /** Gives back its share of the memory that all sessions have. */
  leave(): void;
}

/** A session with an earlier contract, whose state, log and own options the next one takes over. */
export interface EarlierSession {
  readonly session: FakeSession;
  readonly onReset: EarlierService["onReset"];
}

/** The maximum number of sessions. Beyond it, the least recently used session is removed. */
export const maxSessions = 1_000;

/** So many sessions are made at once; further calls with new names wait for turns of their own, because the first call of a session takes longest. */
const maxNewPerLoop = 16;

const maxNameLength = 256;

export interface Sessions {
  /** Answers each call in the session that it names. */
  readonly service: Service;
  /** The existing sessions, the least recently used first. */
  readonly names: readonly string[];
  readonly all: readonly FakeSession[];
  /** Returns the session, and creates it if needed. Throws INVALID_ARGUMENT if the name is too long. */
  session(name: string): FakeSession;
}

function nameIn({ metadata }: ServerCall): string {
  return metadata.get(sessionMetadataName) ?? "";
}

/**
 * Sessions of a contract.
 * @param make creates a session when its name first occurs
 * @param earlier those that go on, the least recently used first
 */
export function sessionsOf(
  contract: Contract,
  make: (name: string, from?: EarlierSession) => FakeSession,
  earlier: readonly EarlierSession[],
): Sessions {
  // In the order of their last use.
  const sessions = new Map(earlier.map((from) => [from.session.name, make(from.session.name, from)]));
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
      oldest.leave();
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
  let loop = 0;
  let newInLoop = 0;
  /** Resolves when the session may be made; undefined if it may at once, or exists. */
  const turnFor = (name: string): Promise<void> | undefined => {
    if (latest?.name === name || sessions.has(name)) return undefined;
    const now = currentLoop();
    newInLoop = loop === now ? newInLoop + 1 : 1;
    loop = now;
    return newInLoop > maxNewPerLoop ? ownTurn() : undefined;
  };

  return {
    service: {
      contract,
      call(operation, request, call) {
        const name = nameIn(call);
        const answer = (): ReturnType<Service["call"]> => sessionOf(name).service.call(operation, request, call);
        return turnFor(name)?.then(answer) ?? answer();
      },
      async *stream(operation, requests, call) {
        const name = nameIn(call);
        await turnFor(name);
        yield* sessionOf(name).service.stream(operation, requests, call);
      },
      // What styles serve beside the contract does not depend on the session.
      guard: (beside) => beside,
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
