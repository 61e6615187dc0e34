// Makes answers from the seed, the operation and the request; they obey the rules of their type.
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { CallError, type Contract, memoize, type Operation } from "@roundtrip/contract";
import { breaksPlainRules, requestRules, ruleValidator } from "@roundtrip/contract/service";
import { asksForWhole } from "@roundtrip/styles/graphql/asked-depth";
import { crc32 } from "node:zlib";
import { Draw, requestBytes, type ValueOf } from "./draw.ts";
import { echo } from "./echoed.ts";
import { fieldValues } from "./field-values.ts";
import { Made } from "./limits.ts";
import { isRecursive } from "./least-depth.ts";
import { maskNames } from "../resources/masks.ts";
import { maskProperty } from "../resources/request-properties.ts";
import { MessageMaker, usualDepth } from "./message-maker.ts";
import { hasFreeRules } from "./rules.ts";

export interface OperationAnswers {
  /** The hash that answers to a request depend on. For a stream of requests, pass the hash of the request before. */
  hash(request: Message, before?: number): number;
  /** One of several answers. Without a request, it repeats no fields of one. */
  answer(request: Message | undefined, hash: number, index: number): Message;
  /** The answer to a request. Equal requests may get the same message object. */
  answerTo(request: Message): Message;
}

/** The number of answers in the cache. Only answers to small requests are cached, because frequent callers repeat those. */
const keptAnswers = 1_000;
const maxKeyBytes = 256;

/** How many attempts are made to satisfy CEL expressions. The last attempt is returned even if it breaks them. */
const tries = 20;

/** Makes answers up. Caches what it computes about the contract's types. */
export class AnswerMaker {
  readonly #answers: MessageMaker;
  readonly #requests: MessageMaker;
  readonly seed: number;
  readonly #contract: Contract;
  readonly #byOperation = new Map<string, OperationAnswers>();
  /** By operation and request. */
  readonly #kept = new Map<string, Message>();

  readonly #makeValue = memoize((field: DescField) => fieldValues(field, this.#answers, false));

  /** @param valueOf gives some fields their values */
  constructor(contract: Contract, seed: number, valueOf: ValueOf = () => undefined) {
    this.#contract = contract;
    this.seed = seed;
    this.#answers = new MessageMaker(contract.registry, valueOf, "answer");
    this.#requests = new MessageMaker(contract.registry, valueOf, "request");
  }

  /** Whether a message obeys the rules of its type. False if the rules cannot be compiled. */
  isValid(desc: DescMessage, message: Message): boolean {
    return ruleValidator(this.#contract.registry).validate(desc, message).kind === "valid";
  }

  of(operation: Operation): OperationAnswers {
    let answers = this.#byOperation.get(operation.id);
    if (answers === undefined) this.#byOperation.set(operation.id, (answers = this.#answersOf(operation)));
    return answers;
  }

  /** An answer that obeys its type's rules. CEL expressions are satisfied only if a few attempts find such a message. */
  message(desc: DescMessage, draw: Draw, allowance?: number): Message {
    return this.#made(this.#answers, desc, draw, allowance);
  }

  /** A value of a field, as reflection represents it, that obeys its rules. */
  value(field: DescField, draw: Draw): unknown {
    const into = reflect(field.parent, create(field.parent), false);
    this.#makeValue(field)(into, field, { draw, allowance: 0, maxDepth: 0, depth: 0, made: new Made() });
    return into.get(field);
  }

  /** The same for a request: with what callers send, and without what only the service sets. */
  request(desc: DescMessage, draw: Draw): Message {
    return this.#made(this.#requests, desc, draw, undefined);
  }

  /** Shallower if a client could not ask for all of the message: every style carries it. */
  #made(messages: MessageMaker, desc: DescMessage, draw: Draw, allowance: number | undefined): Message {
    for (let maxDepth = usualDepth; ; maxDepth--) {
      const message = this.#valid(messages, desc, draw, { allowance, maxDepth });
      if (maxDepth === 0 || !isRecursive(desc) || asksForWhole(this.#contract, desc, message)) return message;
    }
  }

  #valid(
    messages: MessageMaker,
    desc: DescMessage,
    draw: Draw,
    limits: { readonly allowance: number | undefined; readonly maxDepth: number },
  ): Message {
    let message = messages.makeWhole(desc, draw, limits);
    if (!hasFreeRules(desc)) return message;
    for (let attempt = 1; attempt < tries && !this.isValid(desc, message); attempt++) {
      message = messages.makeWhole(desc, draw, limits);
    }
    return message;
  }

  /** Whether a service accepts a request: it obeys the rules and has all required fields. False if the rules cannot be evaluated. */
  isAccepted(desc: DescMessage, request: Message): boolean {
    if (breaksPlainRules(desc, request)) return false;
    try {
      requestRules(this.#contract)(desc, request);
      return true;
    } catch (thrown) {
      if (thrown instanceof CallError) return false;
      throw thrown;
    }
  }

  #answersOf(operation: Operation): OperationAnswers {
    const { id, input, output } = operation;
    const operationHash = crc32(id);
    const wholeBytes = requestBytes(input);
    const mask = maskProperty(input, maskNames);
    // A mask selects from an answer and does not change it.
    const bytesOf: typeof wholeBytes = (request) =>
      wholeBytes(mask?.read(request) === undefined ? request : mask.without(request));
    let repeat: ReturnType<typeof echo> | undefined;
    const answer: OperationAnswers["answer"] = (request, hash, index) => {
      const seed = [this.seed, operationHash, hash, index] as const;
      const message = this.message(output, new Draw(seed));
      if (request === undefined) return message;
      repeat ??= echo(this.#contract, operation);
      // A value that is valid in a request may be invalid in an answer.
      if (!repeat.copy(request, message) || !repeat.hasRules || this.isValid(output, message)) return message;
      return this.message(output, new Draw(seed));
    };
    return {
      hash: (request, before = 0) => crc32(bytesOf(request), before),
      answer,
      answerTo: (request) => {
        const bytes = bytesOf(request);
        if (bytes.length > maxKeyBytes) return answer(request, crc32(bytes), 0);
        const key = `${id}\0${bytes.toString("latin1")}`;
        const known = this.#kept.get(key);
        if (known !== undefined) return known;
        const made = answer(request, crc32(bytes), 0);
        if (this.#kept.size >= keptAnswers) this.#kept.clear();
        this.#kept.set(key, made);
        return made;
      },
    };
  }
}
