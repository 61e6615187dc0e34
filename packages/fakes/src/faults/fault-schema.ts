// The form of fault plans in files and programs, and the plans that have a name. `schema/faults.v1.schema.json` is made from it.
import type * as Zod from "zod";
import { expecting, lazily, oneOf, withAlternatives } from "../files/checked.ts";
import { errorSchema } from "../files/written-error.ts";

/** The maximum delay, even if a distribution gives more: one hour. */
export const longestDelayMs = 3_600_000;

/** The smallest median: a logarithm has no value at 0. */
const leastMedianMs = 0.001;

/** More values do not improve a distribution. */
const mostMeasured = 100_000;

/** A limit on rules, far above what people write. */
const mostRules = 10_000;

const presetNames = ["flaky", "slow", "overloaded", "down", "hanging"] as const;

const everything = "*";

/** Plans by name, each for all operations. */
export const faultPresets = {
  /** One call in ten fails and may be retried, and a few connections close. */
  flaky: {
    faults: [
      {
        operation: everything,
        probability: 0.1,
        error: { code: "UNAVAILABLE", message: "unavailable", details: { reason: "FLAKY" } },
      },
      { operation: everything, probability: 0.02, drop: true },
      { operation: everything, probability: 0.01, truncate: true },
    ],
  },
  /** Half of the calls take longer than 200 ms, one in a hundred longer than 2 s, and streams are slow. */
  slow: {
    faults: [{ operation: everything, "slow-stream": { uniform: { fromMs: 20, toMs: 200 } } }],
    latencies: [{ operation: everything, lognormal: { medianMs: 200, p99Ms: 2_000 } }],
  },
  /** Calls wait, half a second on average, and one in five is refused. */
  overloaded: {
    faults: [
      {
        operation: everything,
        probability: 0.2,
        error: { code: "RESOURCE_EXHAUSTED", message: "too many calls", details: { reason: "OVERLOADED" } },
      },
    ],
    latencies: [{ operation: everything, exponential: { meanMs: 500 } }],
  },
  /** Connections are accepted and closed without an answer. */
  down: { faults: [{ operation: everything, drop: true }] },
  /** Calls get no answer and connections stay open: clients need deadlines. */
  hanging: { latencies: [{ operation: everything, ms: longestDelayMs }] },
} as const satisfies Readonly<Record<(typeof presetNames)[number], FaultPlan>>;

/** Refuses a pair whose second member is less than the first. */
const inOrder = (least: string, most: string) => (delay: object, context: Zod.RefinementCtx) => {
  const values = delay as Readonly<Record<string, number>>;
  const [from = 0, to = 0] = [values[least], values[most]];
  if (to >= from) return;
  const message = `expected milliseconds from ${from} to ${longestDelayMs}, got ${to}`;
  context.addIssue({ code: "custom", message, path: [most] });
};

function makeSchemas(z: typeof Zod) {
  const milliseconds = (least = 0) => {
    const range = expecting(`milliseconds from ${least} to ${longestDelayMs}`);
    return z.number(range).min(least, range).max(longestDelayMs, range);
  };
  const delayMembers = {
    ms: milliseconds().optional().describe("Constant."),
    uniform: z
      .strictObject({ fromMs: milliseconds(), toMs: milliseconds() })
      .superRefine(inOrder("fromMs", "toMs"))
      .meta({ id: "uniform", title: "a uniform delay" })
      .optional()
      .describe("Between both, all equally likely."),
    exponential: z
      .strictObject({ meanMs: milliseconds() })
      .meta({ id: "exponential", title: "an exponential delay" })
      .optional()
      .describe("Mostly short, sometimes long; half are shorter than 0.69 of the mean."),
    lognormal: z
      .strictObject({ medianMs: milliseconds(leastMedianMs), p99Ms: milliseconds() })
      .superRefine(inOrder("medianMs", "p99Ms"))
      .meta({ id: "lognormal", title: "a lognormal delay" })
      .optional()
      .describe("Close to real services: half are shorter than the median, one in a hundred is longer than p99Ms."),
    measured: z
      .strictObject({ valuesMs: z.array(milliseconds()).min(1).max(mostMeasured).readonly() })
      .meta({ id: "measured", title: "a measured delay" })
      .optional()
      .describe("One of these values, all equally likely."),
    run: z
      .strictObject({
        directory: z.string().describe("A run directory of `roundtrip bench`, relative to the folder of this file."),
        arm: z.string().optional().describe("An arm's id, or a pattern with * for any part of one. Default: all arms."),
      })
      .meta({ id: "run", title: "a run" })
      .optional()
      .describe("One of the latencies of a run. Only the command line can read runs."),
  };
  const operation = z
    .string(expecting("the name of an operation, or a pattern with *"))
    .min(1)
    .describe("An operation's id (acme.v1.Library.GetBook), an unambiguous end of it (GetBook), or a pattern with *.");
  const delay = withAlternatives(
    z.strictObject(delayMembers),
    { id: "delay", title: "a delay" },
    oneOf(Object.keys(delayMembers)),
  );
  const faultMembers = {
    error: errorSchema().optional().describe("The call fails with this, and does not reach the service."),
    drop: z
      .literal(true)
      .optional()
      .describe("The connection closes before any answer, and the service is not called."),
    truncate: z
      .literal(true)
      .optional()
      .describe("The service is called; the connection closes in the middle of its answer, or of its second message."),
    "slow-stream": delay.optional().describe("Each message of a stream waits. Affects only streams."),
  };
  const share = expecting("a share of the calls, 0 to 1");
  const fault = withAlternatives(
    z.strictObject({
      operation,
      probability: z
        .number(share)
        .min(0, share)
        .max(1, share)
        .optional()
        .describe("The share of calls that it affects. Earlier rules take their share first. Default: 1."),
      ...faultMembers,
    }),
    { id: "fault", title: "a fault" },
    oneOf(Object.keys(faultMembers)),
  );
  const latency = withAlternatives(
    z.strictObject({ operation, ...delayMembers }),
    { id: "latency", title: "a latency" },
    oneOf(Object.keys(delayMembers)),
  );
  const rules = <S extends Zod.ZodType>(rule: S) => z.array(rule).max(mostRules).readonly().optional();
  const plan = z
    .strictObject({
      presets: rules(z.enum(presetNames).meta({ title: "preset" })).describe(
        "Built-in plans. Their rules apply after those of this plan.",
      ),
      faults: rules(fault).describe("What fails. No call gets two faults."),
      latencies: rules(latency).describe("How long calls wait first. The first rule that names an operation applies."),
    })
    .meta({ title: "a fault plan" });
  return { delay, fault, latency, plan };
}

/** The forms of a plan and of its parts. */
export const faultSchemas = lazily(makeSchemas);

type Schemas = ReturnType<typeof makeSchemas>;

/** How long something takes: one of the members. */
export type Delay = Zod.infer<Schemas["delay"]>;
/** Delays of some operations before anything else happens. */
export type LatencyRule = Zod.infer<Schemas["latency"]>;
/** What happens to some calls of some operations. */
export type FaultRule = Zod.infer<Schemas["fault"]>;
/** What happens to a call: one of the members. */
export type Fault = Omit<FaultRule, "operation" | "probability">;
/** What fails, how, and how long calls take. Which calls are affected depends only on the calls and a seed. */
export type FaultPlan = Zod.infer<Schemas["plan"]>;

export const noFaults: FaultPlan = {};
