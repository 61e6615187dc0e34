// A fake, put together: sessions, each with a log, faults, stubs, handlers and a service that makes answers up. What it is made of can be
// replaced while it is served.
import type { Contract, Operation, Service } from "@roundtrip/contract";
import { fakeDefaults, type FakeOptions } from "./fake-options.ts";
import type { FakeSession } from "./fake-session.ts";
import { layersOf, type Layers } from "./layers.ts";
import { CallLog, type CallLogLimits, type ReadableLog } from "../recording/call-log.ts";
import type { CallRecord } from "../recording/call-record.ts";
import { LogMemory } from "../recording/log-memory.ts";
import { recording } from "../recording/recording.ts";
import { sessionsOf, type Sessions } from "./sessions.ts";

/** What the logs of all sessions may take together. */
const maxLogBytes = 256 * 1024 * 1024;

export interface Fake {
  readonly options: FakeOptions;
  readonly contract: Contract;
  /** What stacks serve. Another one after the contract was replaced; the one before goes on answering who still calls it. */
  readonly service: Service;
  /** The calls of all sessions. */
  readonly log: ReadableLog;
  readonly sessions: Pick<Sessions, "names">;
  /** Makes the session if there is none of that name. Calls name theirs by the metadata `x-roundtrip-session`. */
  session(name: string): FakeSession;
  /** Forgets what a session was called and what it made, or what all did. */
  reset(name?: string): void;
  /**
   * Takes these in the place of what there was. Resources and logs stay, and turns of stubs and attempts of faults begin anew; a new
   * contract, seed, service behind them or limit of logs begins with no session at all. Calls in flight end as they began. Throws a FakeError when what is
   * given does not fit together, and changes nothing then.
   */
  replace(change: Partial<FakeOptions>): void;
}

/** What all sessions of a contract share; `layers` is replaced. */
interface Common {
  readonly contract: Contract;
  /** What answers in the end, a session's own. */
  readonly behind: () => Service;
  readonly logLimits: CallLogLimits;
  readonly memory: LogMemory;
  readonly notify: (record: CallRecord) => void;
  layers: Layers;
}

function sessionNamed(name: string, common: Common): FakeSession {
  const { contract, behind, memory, logLimits, notify } = common;
  const log = new CallLog(contract, logLimits, memory);
  log.onRecord(notify);
  let innermost = behind();
  let { layers } = common;
  let layered = layers.around(innermost);
  // Replaced layers are laid when the session is next called: there may be many that nobody calls any more.
  const current = (): Service => {
    if (layers !== common.layers) {
      ({ layers } = common);
      layered = layers.around(innermost);
    }
    return layered;
  };
  const mayChange = ({ id }: Operation): boolean => common.layers.handled.has(id);
  const service = recording(log, { name, mayChange })({
    contract,
    guard: (other) => other,
    call: (operation, request, call) => current().call(operation, request, call),
    stream: (operation, requests, call) => current().stream(operation, requests, call),
  });
  return {
    name,
    service,
    log,
    reset() {
      log.clear();
      innermost = behind();
      layered = layers.around(innermost);
    },
  };
}

type Listeners = Set<(record: CallRecord) => void>;

/** Sessions that have begun, and what they share. */
interface Begun {
  readonly common: Common;
  readonly sessions: Sessions;
}

/** The calls of all sessions as one log. @param current the contract and the sessions that there are now. */
function wholeLog(current: () => Pick<Begun, "common" | "sessions">, listeners: Listeners): ReadableLog {
  return {
    get contract() {
      return current().common.contract;
    },
    get dropped() {
      return current().sessions.all.reduce((sum, session) => sum + session.log.dropped, 0);
    },
    get records() {
      const records = current().sessions.all.flatMap((session) => session.log.records);
      return records.toSorted((one, other) => one.startedAt - other.startedAt);
    },
    clear() {
      for (const session of current().sessions.all) session.log.clear();
    },
    onRecord(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Makes a fake. Throws a FakeError for stubs, faults or handlers that do not fit the contract. */
export function createFake(given: Partial<FakeOptions> & Pick<FakeOptions, "contract">): Fake {
  const listeners = new Set<(record: CallRecord) => void>();
  const notify = (record: CallRecord): void => {
    for (const listener of listeners) listener(record);
  };
  const begin = (options: FakeOptions): Begun => {
    const { contract, seed, behind, logLimits } = options;
    const memory = new LogMemory(maxLogBytes);
    const layers = layersOf(options);
    const common: Common = { contract, behind: () => behind(contract, seed), logLimits, memory, notify, layers };
    const make = (name: string): FakeSession => sessionNamed(name, common);
    return { common, sessions: sessionsOf(contract, make, ({ log }) => memory.leave(log)) };
  };
  let options: FakeOptions = { ...fakeDefaults, ...given };
  let { common, sessions } = begin(options);

  return {
    log: wholeLog(() => ({ common, sessions }), listeners),
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
    },
    replace(change) {
      const changed = { ...options, ...change };
      const goesOn = (["contract", "seed", "behind", "logLimits"] as const).every(
        (name) => changed[name] === options[name],
      );
      if (goesOn) common.layers = layersOf(changed);
      else ({ common, sessions } = begin(changed));
      options = changed;
    },
  };
}

/** The service of a fake that nobody tells anything: what a server process serves that is given a module and a factory. */
export function fakeService(contract: Contract): Service {
  return createFake({ contract }).service;
}
