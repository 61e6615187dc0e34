// Makes a service from handlers, which checks requests against the contract's rules (buf.validate) and for required fields, in the same way for every
// stack. A separate entry, `@roundtrip/contract/service`, because it loads the validation library, which a measured client process does not need.
import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { pathToString, reflect } from "@bufbuild/protobuf/reflect";
import type { Validator } from "@bufbuild/protovalidate";
import { CallError, type FieldViolation, maxViolations } from "../basics/call-error.ts";
import { memoize, typesIn } from "../descriptors/components.ts";
import { type Contract, type Operation, streamsRequests } from "../descriptors/contract.ts";
import { brokenRule } from "../validation/broken-rule.ts";
import {
  checkMacros,
  createRuleCost,
  createRuleParts,
  quickRuleValidator,
  ruleValidator,
} from "../validation/create-rule-validator.ts";
import { plainRules, type PlainRuleCheck } from "../validation/plain-rules.ts";
import { requiredFields, type MissingFields } from "../validation/required-fields.ts";
import { leadsToMask } from "../validation/partial-updates.ts";
import type { RulePart, RulePartsOf } from "../validation/request-parts.ts";
import { CostMeter, type FindRuleCost } from "../validation/rule-cost.ts";
import type { ServerCall } from "./server-call.ts";
import { nextTurn, ownTurn } from "./turns.ts";
import { endingWithCall, type Handler, type Handlers, type Service, type StreamHandler } from "./service.ts";

/**
 * Throws INVALID_ARGUMENT with one violation per broken rule and missing field, of a very large request with the first broken rule, and RESOURCE_EXHAUSTED
 * for one whose rules cost too much to check.
 * Returns for a valid request.
 */
export interface CheckRequest {
  (schema: DescMessage, request: Message): void;
  /** Checks rules that take long in a turn of their own: then it returns a promise, which may reject. */
  (schema: DescMessage, request: Message, turn: () => Promise<void>): Promise<void> | undefined;
}

/** Rules of this cost take a millisecond. */
const longCost = 2_000;

/** From this cost on, only the first broken rule is named: a list of that many numbers would break as many. */
const costOfMany = 20_000;

/** Why the rules of a message cannot be evaluated. */
function errorIn(validator: Validator, desc: DescMessage, message: Message): Error | undefined {
  const { kind, error } = validator.validate(desc, message);
  return kind === "error" ? error : undefined;
}

/** What checks the rules that are not plain. */
interface RuleLibrary {
  readonly validator: Validator;
  /** Finds the first broken rule. */
  readonly quickValidator: Validator;
  readonly ruleCost: FindRuleCost;
  readonly partsOf: RulePartsOf;
}

function ruleLibrary(contract: Contract): RuleLibrary {
  const { registry } = contract;
  return {
    validator: ruleValidator(registry),
    quickValidator: quickRuleValidator(registry),
    ruleCost: createRuleCost(registry),
    partsOf: createRuleParts(contract),
  };
}

const nothing: readonly FieldViolation[] = [];

function refusal(violations: readonly FieldViolation[]): CallError {
  const [first] = violations;
  const least = violations.length >= maxViolations ? "at least " : "";
  const more = violations.length > 1 ? ` (and ${least}${violations.length - 1} more)` : "";
  const where = first === undefined || first.field === "" ? "" : `${first.field}: `;
  const message = `${where}${first?.description ?? "invalid request"}${more}`;
  return new CallError("INVALID_ARGUMENT", message, { violations });
}

/** What it costs to check all parts. Throws the {@link refusal} of what is too long to be checked. */
function costOf(parts: readonly RulePart[], ruleCost: FindRuleCost): number {
  const meter = new CostMeter();
  const found = parts.map(({ type, message, prefix }) => {
    const { cost, tooLong } = ruleCost(reflect(type, message, false));
    if (tooLong.length === 0) meter.spend(cost);
    return tooLong.map((violation) => ({ ...violation, field: `${prefix}${violation.field}` }));
  });
  const tooLong = found.flat();
  if (tooLong.length > 0) throw refusal(tooLong);
  return meter.cost;
}

/** Throws the {@link refusal} if anything is wrong. */
function refuse(broken: readonly FieldViolation[], missing: readonly FieldViolation[]): void {
  const named = new Set(broken.map(({ field }) => field));
  const violations = [...broken, ...missing.filter(({ field }) => !named.has(field))];
  if (violations.length > 0) throw refusal(violations);
}

/** The broken rules of a message, each with its field. Throws INTERNAL if the rules cannot be evaluated for it. */
function brokenRules(validator: Validator, { type, message, prefix }: RulePart): readonly FieldViolation[] {
  const result = validator.validate(type, message);
  if (result.kind === "error") throw CallError.internal(result.error);
  return (result.violations ?? []).map((violation) => ({
    field: `${prefix}${pathToString(violation.field)}`.replace(/\.$/, ""),
    description: violation.message,
    reason: violation.ruleId,
  }));
}

/**
 * Compiles the rules of a contract. Throws an Error for an invalid rule, and for one that nests too many macros. Compiling here keeps the cost out
 * of the first request, which is measured.
 * @param contract a partial update needs only what its mask names, unless it is checked as a whole.
 */
export const requestRules = memoize((contract: Contract): CheckRequest => compiledRules(contract, false));

/** As {@link requestRules}; ignores update masks, as servers do that validate each request as a whole. */
export const wholeRequestRules = memoize((contract: Contract): CheckRequest => compiledRules(contract, true));

function compiledRules(contract: Contract, isWhole: boolean): CheckRequest {
  let loaded: RuleLibrary | undefined;
  const library = (): RuleLibrary => (loaded ??= ruleLibrary(contract));
  const plain = new Map<DescMessage, PlainRuleCheck>();
  const required = new Map<DescMessage, MissingFields>();
  const others: Operation[] = [];
  for (const operation of contract.operations) {
    const { input } = operation;
    const { obeysPlainRules, areAll } = plainRules(input);
    plain.set(input, obeysPlainRules);
    const missingFields = requiredFields(contract, input, isWhole);
    if (missingFields !== undefined) required.set(input, missingFields);
    // Messages with plain rules only are compiled already and need no validator at start.
    if (!areAll) others.push(operation);
  }
  if (others.length > 0) checkMacros(typesIn(others.map(({ input }) => input)), contract.registry);
  const seen = new Set<DescMessage>();
  for (const { id, input } of others) {
    const broken = brokenRule((desc, sample) => errorIn(library().validator, desc, sample), input, seen);
    if (broken !== undefined) {
      const { position, element, error: cause } = broken;
      throw new Error(`${position}the rules of ${element} cannot be compiled`, { cause });
    }
    const error = errorIn(library().validator, input, create(input));
    if (error !== undefined) throw new Error(`the rules of ${id} cannot be compiled`, { cause: error });
  }
  return (schema: DescMessage, request: Message, turn?: () => Promise<void>): Promise<void> | undefined => {
    const missing = required.get(schema)?.(request) ?? nothing;
    if (plain.get(schema)?.(request) === true) {
      if (missing.length > 0) refuse(nothing, missing);
      return undefined;
    }
    const { validator, quickValidator, ruleCost, partsOf } = library();
    const parts = isWhole ? [{ type: schema, message: request, prefix: "" }] : partsOf(schema, request);
    const cost = costOf(parts, ruleCost);
    const check = (): void => {
      const broken = parts.flatMap((part) => brokenRules(cost < costOfMany ? validator : quickValidator, part));
      refuse(broken, missing);
    };
    if (turn !== undefined && cost >= longCost) return turn().then(check);
    check();
    return undefined;
  };
}

/**
 * A service that answers with handlers. An operation without one answers UNIMPLEMENTED.
 * @param checkRequest {@link requestRules} or {@link wholeRequestRules}
 */
export function serviceOf(contract: Contract, handlers: Handlers, checkRequest = requestRules(contract)): Service {
  const handlerOf = (operation: Operation): Handler | StreamHandler => {
    const handler = handlers.get(operation.id);
    if (handler === undefined) throw new CallError("UNIMPLEMENTED", `${operation.id} is not implemented`);
    return handler;
  };
  async function* checked(
    operation: Operation,
    requests: AsyncIterable<Message>,
    call: ServerCall,
  ): AsyncIterable<Message> {
    const isStream = streamsRequests(operation);
    for await (const request of requests) {
      const turn = nextTurn();
      if (turn !== undefined) await turn;
      const checking = checkRequest(operation.input, request, ownTurn);
      if (checking !== undefined) await checking;
      if (isStream) {
        call.hold(request);
        call.throwIfEnded();
      }
      yield request;
    }
  }
  return endingWithCall({
    contract,
    call(operation, request, call) {
      const handler = handlerOf(operation) as Handler;
      try {
        call.throwIfEnded();
        const checking = checkRequest(operation.input, request, ownTurn);
        if (checking === undefined) return handler(request, call);
        return checking.then(() => {
          call.throwIfEnded();
          return handler(request, call);
        });
      } catch (thrown) {
        throw CallError.from(thrown, operation.id);
      }
    },
    async *stream(operation, requests, call) {
      const handler = handlerOf(operation) as StreamHandler;
      try {
        yield* handler(checked(operation, requests, call), call);
      } catch (thrown) {
        throw CallError.from(thrown, operation.id);
      }
    },
    // There are no interceptors before handlers yet.
    guard: (other) => other,
  });
}

/** Whether a request certainly breaks a rule, of a type whose rules are all plain: the library, which names what is broken, is not loaded. */
export function breaksPlainRules(type: DescMessage, request: Message): boolean {
  const { obeysPlainRules, areAll } = plainRules(type);
  return areAll && !leadsToMask(type) && !obeysPlainRules(request);
}

export { loadRuleLibrary, ruleValidator } from "../validation/create-rule-validator.ts";
export { plainPattern, seemsToNeedValidator } from "../validation/plain-rules.ts";
