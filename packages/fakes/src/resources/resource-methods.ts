// Which operations of a contract are methods of its resources, and how each answers.
import type { Contract, Operation } from "@roundtrip/contract";
import type { AnswerMaker } from "../answers/answer-maker.ts";
import { KeptFields } from "./kept-fields.ts";
import { attributeMethod } from "./methods/attribute.ts";
import { batchGetMethod } from "./methods/batch-get.ts";
import { createMethod } from "./methods/create.ts";
import { deleteMethod } from "./methods/delete.ts";
import { getMethod } from "./methods/get.ts";
import { listMethod } from "./methods/list.ts";
import { streamMethod } from "./methods/stream.ts";
import { updateMethod } from "./methods/update.ts";
import type { InSession, ResourceMethod } from "./methods/method.ts";
import { keyReader } from "./key-reader.ts";
import { isPluralOf, nounAfter, type Verb } from "./names.ts";
import type { Resource } from "./resource.ts";
import { ResourceModel } from "./resource-model.ts";
import { snakeCase } from "../answers/values/purpose.ts";

const standard = {
  get: getMethod,
  list: listMethod,
  create: createMethod,
  update: updateMethod,
  delete: deleteMethod,
} as const satisfies Readonly<Record<Verb, ResourceMethod>>;

/** What an operation does with a resource. */
export interface About {
  readonly resource: Resource;
  readonly verb: Verb | "batch-get" | "attribute";
}

interface Found extends About {
  readonly answer: InSession;
}

/** Whether a method of this name is about a resource: exactly about it, or at least about something of it. */
function isAbout(resource: Resource, verb: Verb, { method, input, output }: Operation): boolean {
  const noun = nounAfter(verb, method.name);
  if (noun === undefined) return false;
  const says = snakeCase(noun);
  const holds = [input, output].some(
    (message) => message === resource.message || message.fields.some((field) => field.message === resource.message),
  );
  if (verb === "list") {
    const lists = output === resource.message || output.fields.some((field) => field.message === resource.message);
    return (
      lists &&
      (says === "" ||
        isPluralOf(says, resource.singular) ||
        says.startsWith(resource.singular) ||
        method.name.startsWith("List"))
    );
  }
  if (says === resource.singular) {
    const { file, methods } = method.parent;
    const isBeside = file.proto.package === resource.message.file.proto.package;
    // Types may come from elsewhere: what else gives them is about the same.
    return isBeside || holds || methods.some((other) => other.output === resource.message);
  }
  return says === "" && (holds || method.parent.name.startsWith(resource.message.name));
}

/** The resources of a contract with what their methods do. A method is looked at when it is first called. */
export class ResourceMethods {
  readonly model: ResourceModel;
  readonly #kept: ReadonlyMap<Resource, KeptFields>;
  readonly #byOperation = new Map<string, Found | undefined>();

  constructor(contract: Contract, maker: AnswerMaker, resources: readonly Resource[]) {
    this.model = new ResourceModel(contract, maker, resources);
    this.#kept = new Map(resources.map((resource) => [resource, new KeptFields(contract, resource)]));
  }

  /** Undefined for an operation that is about no resource. */
  of(operation: Operation): InSession | undefined {
    return this.#find(operation)?.answer;
  }

  /** Undefined for an operation that is about no resource. */
  about(operation: Operation): About | undefined {
    return this.#find(operation);
  }

  /** What callers do not send of a resource: see {@link KeptFields}. */
  keptOf(resource: Resource): KeptFields | undefined {
    return this.#kept.get(resource);
  }

  #find(operation: Operation): Found | undefined {
    if (!this.#byOperation.has(operation.id)) this.#byOperation.set(operation.id, this.#methodOf(operation));
    return this.#byOperation.get(operation.id);
  }

  #methodOf(operation: Operation): Found | undefined {
    for (const [resource, own] of this.#kept) {
      const method = { model: this.model, resource, operation, kept: own };
      for (const verb of ["get", "list", "create", "update", "delete"] as const) {
        if (operation.kind !== "unary" || !isAbout(resource, verb, operation)) continue;
        const answer = standard[verb](method);
        if (answer !== undefined) return { resource, verb, answer };
      }
    }
    if (operation.kind === "server_streaming") return this.#streamOf(operation);
    if (operation.kind !== "unary") return undefined;
    for (const [resource, own] of this.#kept) {
      const plural = /^BatchGet(.+)$/.exec(operation.method.name)?.[1];
      if (plural === undefined || !isPluralOf(snakeCase(plural), resource.singular)) continue;
      const answer = batchGetMethod({ model: this.model, resource, operation, kept: own });
      if (answer !== undefined) return { resource, verb: "batch-get", answer };
    }
    // The longest name first: a method about an order item is not about its order.
    const name = `_${snakeCase(operation.method.name)}_`;
    // A verb alone, as in a service of one resource, is about what it gives back.
    const isVerb = /^[A-Z][a-z]+$/.test(operation.method.name);
    const named = [...this.#kept].filter(
      ([{ singular, message }]) => name.includes(`_${singular}_`) || (isVerb && operation.output === message),
    );
    for (const [resource, own] of named.toSorted(([one], [other]) => other.singular.length - one.singular.length)) {
      const answer = attributeMethod({ model: this.model, resource, operation, kept: own });
      if (answer !== undefined) return { resource, verb: "attribute", answer };
    }
    return undefined;
  }

  /** A stream of resources, or of what is around one each. */
  #streamOf(operation: Operation): Found | undefined {
    const { method, input, output } = operation;
    const isOf = ({ message }: Resource): boolean => output === message;
    const kept = [...this.#kept].toSorted(([one], [other]) => Number(isOf(other)) - Number(isOf(one)));
    for (const [resource, own] of kept) {
      const answer = streamMethod({ model: this.model, resource, operation, kept: own });
      const isList = nounAfter("list", method.name) !== undefined || keyReader(input, resource) === undefined;
      if (answer !== undefined) return { resource, verb: isList ? "list" : "get", answer };
    }
    return undefined;
  }
}
