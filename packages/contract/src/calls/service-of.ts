// Makes a service from handlers, which checks requests against the contract's rules (buf.validate) and for required fields, in the same way for every
// stack. A separate entry, `@roundtrip/contract/service`, because it loads the validation library, which a measured client process does not need.
import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import type { Validator } from "@bufbuild/protovalidate";
import { CallError, type FieldViolation } from "../basics/call-error.ts";
import { memoize, typesIn } from "../descriptors/components.ts";
import { type Contract, type Operation, streamsRequests } from "../descriptors/contract.ts";
import { brokenRule } from "../validation/broken-rule.ts";
import { checkMacros, createRuleValidator } from "../validation/create-rule-validator.ts";
import { plainRules, type PlainRuleCheck } from "../validation/plain-rules.ts";
import { requiredFields, type MissingFields } from "../validation/required-fields.ts";
import type { ServerCall } from "./server-call.ts";
import { nextTurn } from "./turns.ts";
import { endingWithCall, type Handler, type Handlers, type Service, type StreamHandler } from "./service.ts";

/** Throws INVALID_ARGUMENT with one violation per broken rule and missing field. Returns for a valid request. */
export type CheckRequest = (schema: DescMessage, request: Message) => void;

/** Why the rules of a message cannot be evaluated. */
function errorIn(validator: Validator, desc: DescMessage, message: Message): Error | undefined {
  const { kind, error } = validator.validate(desc, message);
  return kind === "error" ? error : undefined;
}

const nothing: readonly FieldViolation[] = [];

/** The refusal of a request, which names all violations. */
function refusal(violations: readonly FieldViolation[]): CallError {
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
  const message = first === undefined ? "invalid request" : `${first.field}: ${first.description}${more}`;
  return new CallError("INVALID_ARGUMENT", message, { violations });
}

/** The broken rules of a message, each with its field. Throws INTERNAL if the rules cannot be evaluated for it. */
function brokenRules(validator: Validator, schema: DescMessage, request: Message): readonly FieldViolation[] {
  const result = validator.validate(schema, request);
  if (result.kind === "error") throw CallError.internal(result.error);
  return (result.violations ?? []).map((violation) => ({
    field: pathToString(violation.field),
    description: violation.message,
    reason: violation.ruleId,
  }));
}

/**
 * Compiles the rules of a contract. Throws an Error for an invalid rule, and for one that nests too many macros. Compiling here keeps the cost out
 * of the first request, which is measured.
 */
export const requestRules = memoize((contract: Contract): CheckRequest => {
  let made: Validator | undefined;
  const validator = (): Validator => (made ??= createRuleValidator(contract.registry));
  const plain = new Map<DescMessage, PlainRuleCheck>();
  const required = new Map<DescMessage, MissingFields>();
  const others: Operation[] = [];
  for (const operation of contract.operations) {
    const { input } = operation;
    const { obeysPlainRules, areAll } = plainRules(input);
    plain.set(input, obeysPlainRules);
    const missingFields = requiredFields(input);
    if (missingFields !== undefined) required.set(input, missingFields);
    // Messages with plain rules only are compiled already and need no validator at start.
    if (!areAll) others.push(operation);
  }
  if (others.length > 0) checkMacros(typesIn(others.map(({ input }) => input)), contract.registry);
  const seen = new Set<DescMessage>();
  for (const { id, input } of others) {
    const broken = brokenRule((desc, sample) => errorIn(validator(), desc, sample), input, seen);
    if (broken !== undefined) {
      const { position, element, error: cause } = broken;
      throw new Error(`${position}the rules of ${element} cannot be compiled`, { cause });
    }
    const error = errorIn(validator(), input, create(input));
    if (error !== undefined) throw new Error(`the rules of ${id} cannot be compiled`, { cause: error });
  }
  return (schema, request) => {
    const missing = required.get(schema)?.(request) ?? nothing;
    const isPlain = plain.get(schema)?.(request) === true;
    if (isPlain && missing.length === 0) return;
    const broken = isPlain ? nothing : brokenRules(validator(), schema, request);
    const named = new Set(broken.map(({ field }) => field));
    const violations = [...broken, ...missing.filter(({ field }) => !named.has(field))];
    if (violations.length > 0) throw refusal(violations);
  };
});

/** A service that answers with handlers. An operation without one answers UNIMPLEMENTED. */
export function serviceOf(contract: Contract, handlers: Handlers): Service {
  const checkRequest = requestRules(contract);
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
      checkRequest(operation.input, request);
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
        checkRequest(operation.input, request);
        return handler(request, call);
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

export { createRuleValidator } from "../validation/create-rule-validator.ts";
