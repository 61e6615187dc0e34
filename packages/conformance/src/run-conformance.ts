// Runs conformance cases against a subject, several at once where they cannot affect each other, and reports each result in order.
import { CallError, type Contract } from "@roundtrip/contract";
import { caseRun, NotApplicable } from "./case/case-run.ts";
import type { Area, ConformanceCase, Level, Need } from "./case/case.ts";
import type { ConformanceSubject } from "./case/subject.ts";

export interface CaseResult {
  readonly caseId: string;
  readonly level: Level;
  readonly area: Area;
  readonly title: string;
  readonly status: "pass" | "fail" | "skip";
  /** The first difference of a failure or the reason of a skip, in one line; empty for a pass. */
  readonly detail: string;
  readonly elapsedMs: number;
}

export interface ConformanceOptions {
  readonly contract: Contract;
  readonly subject: ConformanceSubject;
  /** A case that takes longer fails. */
  readonly caseLimitMs: number;
}

/** Runs cases one at a time, for test runners that list each one. */
export interface ConformanceSession {
  /** Never rejects. */
  run(conformanceCase: ConformanceCase): Promise<CaseResult>;
  /** Stops the servers that the cases share. */
  close(): Promise<void>;
}

/** The default time limit of a case. Cases take milliseconds, but much longer beside others on a busy machine. */
export const defaultCaseLimitMs = 60_000;

// A case that is expected to fail often hangs; one that passes takes far less than this.
const expectedFailureLimitMs = 1_000;
const cleanupAfterFailureMs = 500;

/** Most cases mostly wait, for sockets or limits: this many keep one processor busy. */
const ownServersAtOnce = 8;

const services = {
  hello: "roundtrip.v1.HelloService",
  customers: "roundtrip.v1.CustomerService",
  payload: "roundtrip.v1.PayloadService",
  matrix: "roundtrip.v1.MatrixService",
  invoices: "roundtrip.v1.InvoiceService",
} as const;

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ").trim();
}

function describeThrown(thrown: unknown): string {
  if (thrown instanceof CallError) return oneLine(`unexpected ${thrown.code}: ${thrown.message}`);
  return oneLine(thrown instanceof Error ? thrown.message : String(thrown));
}

/** Why the subject cannot run a case with this need; undefined if it can. */
function cannotRun(need: Need, { contract, subject }: ConformanceOptions): string | undefined {
  switch (need) {
    case "hello":
    case "customers":
    case "payload":
    case "matrix":
    case "invoices":
      return contract.registry.getService(services[need]) === undefined
        ? `the contract has no ${services[need]}`
        : undefined;
    case "server":
      return subject.serve === undefined ? "the case needs its own server, but the target runs elsewhere" : undefined;
    case "misuse":
      return subject.offersMisuse ? undefined : "the subject cannot send malformed bytes";
    case "together":
    case "metadata":
    case "serverStream":
    case "clientStream":
    case "bidiStream":
    case "traceMethod":
    case "bodyOfGet":
      return undefined;
  }
}

/** Why the case is expected to fail; undefined if it is expected to pass. */
function expectedToFail(
  { id, needs }: ConformanceCase,
  { limitations, deviations }: ConformanceSubject,
): string | undefined {
  const limitation = limitations.find(({ feature }) => needs.some((need) => need === feature));
  const deviation = deviations.find(({ caseId }) => caseId === id);
  return limitation?.reason ?? deviation?.reason;
}

async function within<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what} took longer than ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

interface Attempt {
  readonly limitMs: number;
  readonly conformanceCase: ConformanceCase;
}

async function attempt(
  { limitMs, conformanceCase }: Attempt,
  { contract, subject }: ConformanceOptions,
): Promise<void> {
  const cleanups: (() => Promise<void>)[] = [];
  const afterwards = (cleanup: () => Promise<void>) => void cleanups.push(cleanup);
  let failure: { readonly thrown: unknown } | undefined;
  try {
    const connecting = subject.connect();
    afterwards(async () => (await connecting).close());
    const caseNumber = Number(conformanceCase.id.slice("RT-".length));
    const work = connecting.then((client) =>
      conformanceCase.run(caseRun({ contract, client, caseNumber, subject, afterwards })),
    );
    await within(limitMs, "the case", work);
  } catch (thrown) {
    failure = { thrown };
  }
  for (const cleanup of cleanups.toReversed()) {
    try {
      // In order, because a step may need what the next one removes. A step that hangs must not block the next one.
      // oxlint-disable-next-line no-await-in-loop
      await within(failure === undefined ? limitMs : cleanupAfterFailureMs, "cleaning up", cleanup());
    } catch (thrown) {
      // The failure of the case is more useful than the failure of its cleanup.
      failure ??= { thrown };
    }
  }
  if (failure !== undefined) throw failure.thrown;
}

export function conformanceSession(options: ConformanceOptions): ConformanceSession {
  return {
    async run(conformanceCase) {
      const { id: caseId, level, area, title, needs } = conformanceCase;
      const startedAtMs = performance.now();
      const result = (status: CaseResult["status"], detail: string): CaseResult => {
        return { caseId, level, area, title, status, detail, elapsedMs: performance.now() - startedAtMs };
      };
      const obstacle = needs.map((need) => cannotRun(need, options)).find((reason) => reason !== undefined);
      if (obstacle !== undefined) return result("skip", obstacle);
      const excuse = expectedToFail(conformanceCase, options.subject);
      const limitMs =
        excuse === undefined ? options.caseLimitMs : Math.min(options.caseLimitMs, expectedFailureLimitMs);
      try {
        await attempt({ conformanceCase, limitMs }, options);
      } catch (thrown) {
        if (thrown instanceof NotApplicable) return result("skip", thrown.message);
        return excuse === undefined ? result("fail", describeThrown(thrown)) : result("skip", excuse);
      }
      return excuse === undefined
        ? result("pass", "")
        : result("fail", `passes, but is listed as a known deviation: ${excuse}`);
    },
    close: () => options.subject.close(),
  };
}

async function inTurn(queue: Iterator<ConformanceCase>, run: (one: ConformanceCase) => Promise<void>): Promise<void> {
  for (let next = queue.next(); next.done !== true; next = queue.next()) {
    // oxlint-disable-next-line no-await-in-loop
    await run(next.value);
  }
}

/**
 * Runs all cases and closes the subject. Cases with servers of their own run beside others. Cases on the shared server run one after the other,
 * because they change and list the same customers. A failure never stops the suite; rejects only when closing fails.
 */
export async function runConformance(
  options: ConformanceOptions & {
    readonly cases: readonly ConformanceCase[];
    /** Called with the result of each case, in the order of the cases. */
    onResult(result: CaseResult): void;
  },
): Promise<readonly CaseResult[]> {
  const { cases } = options;
  const session = conformanceSession(options);
  const ended = new Map<ConformanceCase, CaseResult>();
  const results: CaseResult[] = [];
  const run = async (one: ConformanceCase): Promise<void> => {
    ended.set(one, await session.run(one));
    for (const result of cases.slice(results.length).map((next) => ended.get(next))) {
      if (result === undefined) break;
      results.push(result);
      options.onResult(result);
    }
  };
  const queue = (hasOwnServer: boolean): Iterator<ConformanceCase> =>
    cases.filter(({ needs }) => needs.includes("server") === hasOwnServer).values();
  const own = queue(true);
  try {
    await Promise.all([inTurn(queue(false), run), ...Array.from({ length: ownServersAtOnce }, () => inTurn(own, run))]);
  } finally {
    await session.close();
  }
  return results;
}
