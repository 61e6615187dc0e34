// A fake: sessions, each with a log, faults, stubs, handlers and a service that makes answers up. Its options can be replaced while it is
// served.
import type { Message } from "@bufbuild/protobuf";
import {
  type Contract,
  type Handlers,
  type Interceptor,
  type Operation,
  ownTurn,
  type Service,
  StoredMemory,
} from "@roundtrip/contract";
import { requestRules, serviceOf, wholeRequestRules } from "@roundtrip/contract/service";
import { usualSeed } from "../answers/draw.ts";
import { FakeError } from "../basics/fake-error.ts";
import { operationNamed } from "../basics/names.ts";
import { type FaultPlan, noFaults } from "../faults/fault-schema.ts";
import { faulting } from "../faults/faulting.ts";
import { generatedService } from "../generated/generated-service.ts";
import { handling } from "../handlers/handling.ts";
import {
  CallLog,
  callLogLimits,
  type CallLogLimits,
  type CallRecord,
  LogMemory,
  type ReadableLog,
  type SessionRefusals,
} from "../log/call-log.ts";
import { logging } from "../log/logged-call.ts";
import { RefusalLog } from "../log/refusal-log.ts";
import type { EarlierService, Reset } from "../resources/reread.ts";
import { sessionMemory } from "../resources/session-state.ts";
import type { Stub } from "../stubs/stub-schema.ts";
import { misfit } from "../stubs/compiled-stub.ts";
import { stubbing } from "../stubs/stubbing.ts";
import {
  type EarlierSession,
  type FakeSession,
  nothingOwn,
  type OwnOptions,
  type Sessions,
  sessionsOf,
} from "./sessions.ts";

export interface FakeOptions {
  readonly contract: Contract;
  /** The seed of everything that is made up. The same seed gives the same answers. */
  readonly seed: number;
  /** Answers as data. The first matching stub answers. */
  readonly stubs: readonly Stub[];
  /** Answers as functions, used if no stub matches. `fakeHandlers` makes them from typed methods. */
  readonly handlers: Handlers;
  readonly faults: FaultPlan;
  /** Whether updates follow the rules of every field, as on servers that validate whole requests, and not only of those that the mask names. */
  readonly wholeUpdates: boolean;
  /**
   * Answers if no stub and no handler does. Called once for each session. Default: made-up answers; otherwise a recorded target or a replayed recording.
   * It checks requests itself. What it stores it counts in the memory. After a change of the contract it gets the earlier service of the session, to take
   * over its state.
   */
  readonly behind: (contract: Contract, seed: number, memory: StoredMemory, earlier?: EarlierService) => Service;
  /** Between handlers and what is made up: such as {@link forwarding} to a real server. */
  readonly forward: Interceptor;
  /** The size limits of a session's log. */
  readonly logLimits: CallLogLimits;
}

export const fakeDefaults = {
  seed: usualSeed,
  stubs: [],
  handlers: new Map(),
  faults: noFaults,
  wholeUpdates: false,
  behind: generatedService,
  forward: (service) => service,
  logLimits: callLogLimits,
} as const satisfies Omit<FakeOptions, "contract">;

/**
 * Checks requests of these operations as the service would: otherwise a stub without conditions would hide mistakes of callers.
 * @param operations ids; others are not checked here, because their handlers check them
 */
function checking(contract: Contract, operations: ReadonlySet<string>, check = requestRules(contract)): Interceptor {
  async function* checked({ input }: Operation, requests: AsyncIterable<Message>): AsyncIterable<Message> {
    for await (const request of requests) {
      await check(input, request, ownTurn);
      yield request;
    }
  }
  return (service) => ({
    contract,
    guard: (beside) => service.guard(beside),
    call(operation, request, call) {
      const inTurn = operations.has(operation.id) ? check(operation.input, request, ownTurn) : undefined;
      if (inTurn === undefined) return service.call(operation, request, call);
      return inTurn.then(() => service.call(operation, request, call));
    },
    stream(operation, requests, call) {
      if (!operations.has(operation.id)) return service.stream(operation, requests, call);
      return service.stream(operation, checked(operation, requests), call);
    },
  });
}

/**
 * Applies faults, then stubs, then handlers, then the forwarding, and skips those that are not used. Throws a FakeError for options that do not fit the contract. Stub
 * sequences and fault attempts restart for each service that it wraps.
 */
function layersOf({ contract, seed, stubs, handlers, faults, wholeUpdates, forward }: FakeOptions): Interceptor {
  const hasFaults = Object.values(faults).some((rules) => (rules?.length ?? 0) > 0);
  const stubbed = new Set(stubs.map(({ operation }) => operationNamed(contract, operation).id));
  const every = new Set(contract.operations.map(({ id }) => id));
  // The first is the outermost.
  const layers: readonly ((service: Service, innermost: Service) => Service)[] = [
    ...(hasFaults ? [faulting(contract, faults, seed)] : []),
    ...(wholeUpdates ? [checking(contract, every, wholeRequestRules(contract))] : []),
    ...(stubs.length > 0 ? [checking(contract, stubbed), stubbing(contract, stubs)] : []),
    ...(handlers.size > 0 ? [handling(handlers)] : []),
    forward,
  ];
  const around: Interceptor = (service) => layers.reduceRight((inner, layer) => layer(inner, service), service);
  // Some errors show only when a service is wrapped: report them now, not in the first call.
  around(serviceOf(contract, new Map()));
  return around;
}

/** The memory limit that the logs of all sessions share. */
export const maxLogBytes = 256 * 1024 * 1024;

export interface Fake {
  readonly options: FakeOptions;
  readonly contract: Contract;
  /** What stacks serve. Replacing the contract creates another service; the previous one still answers its callers. */
  readonly service: Service;
  /** The calls of all sessions. */
  readonly log: ReadableLog;
  /** The requests that were refused before they reached an operation. Servers with the watch of `stackWatch` add to it. */
  readonly refusalLog: RefusalLog;
  readonly sessions: Pick<Sessions, "names" | "all">;
  /** Returns the session, and creates it if needed. Calls name their session in the metadata `x-roundtrip-session`. */
  session(name: string): FakeSession;
  /** Clears the calls, resources and own options of a session, or of all sessions. */
  reset(name?: string): void;
  /**
   * Replaces these options. Resources and logs stay, stub sequences and fault attempts restart. A new contract resets what it cannot keep; a new seed, log
   * limit or service behind removes all sessions. Calls in flight finish with the previous options. Throws a FakeError, and changes nothing, if the
   * options do not fit together.
   */
  replace(change: Partial<FakeOptions>): Replaced;
}

/** What a change of options did. */
export interface Replaced {
  /** What sessions lost. */
  readonly resets: readonly Reset[];
  /** Goes back to the options and sessions before it. */
  readonly undo: () => void;
}

/** What all sessions of a contract share. `options` and `layers` are replaced together. */
interface Common {
  readonly contract: Contract;
  /** The service behind all layers, one for each session. */
  readonly behind: (memory: StoredMemory, earlier?: EarlierService) => Service;
  readonly logLimits: CallLogLimits;
  readonly memory: LogMemory;
  readonly stored: StoredMemory;
  readonly notify: (record: CallRecord) => void;
  readonly refusalLog: RefusalLog;
  options: FakeOptions;
  layers: Interceptor;
}

/** The layers of a session with options of its own. Throws a FakeError if they do not fit the contract. */
function ownLayers({ options, layers }: Common, own: OwnOptions): Interceptor {
  if (own.stubs.length === 0 && own.faults === undefined) return layers;
  return layersOf({
    ...options,
    stubs: [...own.stubs, ...options.stubs],
    faults: own.faults ?? options.faults,
  });
}

/** The refusals of one session, as a part of its log. */
function sessionRefusals(name: string, log: RefusalLog): SessionRefusals {
  return {
    get refusals() {
      return log.of(name);
    },
    onRefusal: (listener) =>
      log.onRefusal((refusal) => {
        if (refusal.session === name) listener(refusal);
      }),
    clear: () => log.clear(name),
  };
}

function newLog(name: string, { contract, memory, logLimits, notify, refusalLog }: Common): CallLog {
  const log = new CallLog(contract, logLimits, { memory, refusals: sessionRefusals(name, refusalLog) });
  log.onRecord(notify);
  return log;
}

/** A session's own options as far as they fit the contract. */
function fittingOwn(common: Common, { session: { own }, onReset }: EarlierSession): OwnOptions {
  const stubs = own.stubs.filter((stub) => {
    const why = misfit(common.contract, stub);
    if (why !== undefined) onReset({ names: ["stub", "stubs"], count: 1, why });
    return why === undefined;
  });
  try {
    ownLayers(common, { ...own, stubs });
    return { ...own, stubs };
  } catch (thrown) {
    if (!(thrown instanceof FakeError)) throw thrown;
    onReset({ names: ["fault plan", "fault plans"], count: 1, why: thrown.message });
    return { stubs, faults: undefined };
  }
}

function sessionNamed(name: string, common: Common, earlier?: EarlierSession): FakeSession {
  const { contract, behind, memory } = common;
  const log = earlier?.session.log ?? newLog(name, common);
  let stored = sessionMemory(common.stored);
  let innermost = behind(stored, earlier && { service: earlier.session.behind, onReset: earlier.onReset });
  let own = earlier === undefined ? nothingOwn : fittingOwn(common, earlier);
  // Of the fake, as far as this session has taken them.
  let { layers } = common;
  let layered = ownLayers(common, own)(innermost);
  // Layers are rebuilt when the session is next called, since many sessions are never called again.
  const current = (): Service => {
    if (layers !== common.layers) {
      ({ layers } = common);
      layered = ownLayers(common, own)(innermost);
    }
    return layered;
  };
  const service = logging(
    log,
    name,
  )({
    contract,
    guard: (beside) => beside,
    call: (operation, request, call) => current().call(operation, request, call),
    stream: (operation, requests, call) => current().stream(operation, requests, call),
  });
  return {
    name,
    service,
    log,
    get own() {
      return own;
    },
    get behind() {
      return innermost;
    },
    use(change) {
      const next = { ...own, ...change };
      layered = ownLayers(common, next)(innermost);
      ({ layers } = common);
      own = next;
    },
    reset() {
      log.clear();
      own = nothingOwn;
      stored.leave();
      stored = sessionMemory(common.stored);
      innermost = behind(stored);
      ({ layers } = common);
      layered = layers(innermost);
    },
    leave() {
      memory.leave(log);
      stored.leave();
    },
  };
}

type Listeners = Set<(record: CallRecord) => void>;

interface ActiveSessions {
  readonly common: Common;
  readonly sessions: Sessions;
}

/** The calls of all sessions as one log. @param current returns the current contract and sessions */
function wholeLog(
  current: () => Pick<ActiveSessions, "common" | "sessions">,
  listeners: Listeners,
  refusalLog: RefusalLog,
): ReadableLog {
  return {
    get refusals() {
      return refusalLog.refusals;
    },
    onRefusal: (listener) => refusalLog.onRefusal(listener),
    get contract() {
      return current().common.contract;
    },
    get dropped() {
      return current().sessions.all.reduce((sum, session) => sum + session.log.dropped, 0);
    },
    get records() {
      const records = current().sessions.all.flatMap((session) => session.log.records);
      return records.toSorted((record, next) => record.startedAt - next.startedAt);
    },
    clear() {
      for (const session of current().sessions.all) session.log.clear();
      refusalLog.clear();
    },
    onRecord(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Makes a fake. Throws a FakeError if stubs, faults or handlers do not fit the contract. */
export function createFake(given: Partial<FakeOptions> & Pick<FakeOptions, "contract">): Fake {
  const listeners = new Set<(record: CallRecord) => void>();
  const refusalLog = new RefusalLog();
  const notify = (record: CallRecord): void => {
    for (const listener of listeners) listener(record);
  };
  const begin = (
    options: FakeOptions,
    memory = new LogMemory(maxLogBytes),
    goingOn: readonly EarlierSession[] = [],
  ): ActiveSessions => {
    const { contract, seed, behind, logLimits } = options;
    const layers = layersOf(options);
    const common: Common = {
      contract,
      behind: (stored, earlier) => behind(contract, seed, stored, earlier),
      logLimits,
      memory,
      stored: new StoredMemory("the resources of all sessions"),
      notify,
      refusalLog,
      options,
      layers,
    };
    const make = (name: string, from?: EarlierSession): FakeSession => sessionNamed(name, common, from);
    return { common, sessions: sessionsOf(contract, make, goingOn) };
  };
  let options: FakeOptions = { ...fakeDefaults, ...given };
  let { common, sessions } = begin(options);
  const followLogs = (): void => {
    for (const { log } of sessions.all) log.contract = options.contract;
  };

  return {
    log: wholeLog(() => ({ common, sessions }), listeners, refusalLog),
    refusalLog,
    get options() {
      return options;
    },
    get contract() {
      return options.contract;
    },
    get service() {
      return sessions.service;
    },
    get sessions() {
      return sessions;
    },
    session: (name) => sessions.session(name),
    reset(name) {
      for (const session of sessions.all) if (name === undefined || session.name === name) session.reset();
      refusalLog.clear(name);
    },
    replace(change) {
      const before = { options, common, sessions, layers: common.layers };
      const changed = { ...options, ...change };
      const isUnchanged = (...names: readonly (keyof FakeOptions)[]): boolean =>
        names.every((name) => changed[name] === options[name]);
      const resets: Reset[] = [];
      if (!isUnchanged("seed", "behind", "logLimits")) ({ common, sessions } = begin(changed));
      else if (isUnchanged("contract")) {
        common.layers = layersOf(changed);
        common.options = changed;
      } else {
        const onReset = (reset: Reset): void => void resets.push(reset);
        const goingOn = sessions.all.map((session) => ({ session, onReset }));
        ({ common, sessions } = begin(changed, common.memory, goingOn));
      }
      options = changed;
      followLogs();
      return {
        resets,
        undo() {
          ({ options, common, sessions } = before);
          common.options = options;
          common.layers = before.layers;
          followLogs();
        },
      };
    },
  };
}
