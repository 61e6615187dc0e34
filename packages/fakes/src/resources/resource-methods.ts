// Finds the operations that are methods of a contract's resources, and how each answers.
import type { DescMethod } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { isKeyField, isPluralOf, nounAfter, type Resource, snakeCase, type Verb } from "@roundtrip/contract/resources";
import type { AnswerMaker } from "../answers/answer-maker.ts";
import { ServiceFields } from "./service-fields.ts";
import { attributeMethod } from "./methods/attribute.ts";
import { createMethod, updateMethod } from "./methods/create-update.ts";
import { batchGetMethod, deleteMethod, getMethod } from "./methods/get-delete.ts";
import { listMethod, streamMethod } from "./methods/list.ts";
import type { SessionHandler, ResourceMethod } from "./methods/method.ts";
import { keyReader } from "./keys.ts";
import { isOfOperations, isPolling, longRunning } from "./long-running.ts";
import { ResourceModel } from "./resource-model.ts";

const standard = {
  get: getMethod,
  list: listMethod,
  create: createMethod,
  update: updateMethod,
  delete: deleteMethod,
} as const satisfies Readonly<Record<Verb, ResourceMethod>>;

/** The kind of method that an operation is. */
export interface About {
  readonly resource: Resource;
  readonly verb: Verb | "batch-get" | "attribute";
}

interface Found extends About {
  readonly answer: SessionHandler;
}

/** Whether the resource is that of the method's service, or may be used by any. */
function isAmongItsServices({ isOneOfSeveral, services }: Resource, { parent }: DescMethod): boolean {
  return !isOneOfSeveral || services.has(parent);
}

/** Whether a method of this name is about a resource: exactly about it, or at least about a part of it. */
function isAbout(resource: Resource, verb: Verb, { method, input, output }: Operation): boolean {
  const noun = nounAfter(verb, method.name);
  if (noun === undefined || !isAmongItsServices(resource, method)) return false;
  const name = snakeCase(noun);
  const isInside = [input, output].some(
    (message) => message === resource.message || message.fields.some((field) => field.message === resource.message),
  );
  if (verb === "list") {
    const lists = output === resource.message || output.fields.some((field) => field.message === resource.message);
    return (
      lists &&
      (name === "" ||
        isPluralOf(name, resource.singular) ||
        name.startsWith(resource.singular) ||
        method.name.startsWith("List"))
    );
  }
  if (name === resource.singular) {
    const { file, methods } = method.parent;
    const isBeside = file.proto.package === resource.message.file.proto.package;
    // Types may come from other packages: then methods that return the same type are about it.
    return isBeside || isInside || methods.some((sibling) => sibling.output === resource.message);
  }
  const service = method.parent.name.replace(/(?:Service|Manager|API|Api)$/, "");
  const isOfService = resource.services.has(method.parent) || isPluralOf(service, resource.message.name);
  return name === "" && (isInside || isOfService);
}

/** Whether a method reads a resource with more around it: its request refers to the resource, and its answer has it. */
function readsAround({ message, key }: Resource, { input, output, sideEffects }: Operation): boolean {
  const aliases = key.length === 1 ? (key[0]?.aliases ?? []) : [];
  return (
    sideEffects === "none" &&
    output.fields.some((field) => field.fieldKind === "message" && field.message === message) &&
    input.fields.some((field) => aliases.includes(field.name) && isKeyField(field))
  );
}

/** The resources of a contract with their methods. A method is analysed on its first call. */
export class ResourceMethods {
  readonly model: ResourceModel;
  readonly #kept: ReadonlyMap<Resource, ServiceFields>;
  readonly #byOperation = new Map<string, Found | undefined>();

  /** @param contract with methods that answer at once: see {@link contractOfWork} */
  constructor(contract: Contract, maker: AnswerMaker, resources: readonly Resource[]) {
    this.model = new ResourceModel(contract, maker, resources);
    this.#kept = new Map(resources.map((resource) => [resource, new ServiceFields(resource)]));
  }

  /** Undefined for an operation without a resource. */
  of(operation: Operation): SessionHandler | undefined {
    return this.#find(operation)?.answer;
  }

  /** Undefined for an operation without a resource. */
  about(operation: Operation): About | undefined {
    const isStream = operation.kind !== "unary";
    const created = isStream && [...this.#kept.keys()].find((resource) => isAbout(resource, "create", operation));
    return created ? { resource: created, verb: "create" } : this.#find(operation);
  }

  /** The fields of a resource that callers do not send: see {@link ServiceFields}. */
  keptOf(resource: Resource): ServiceFields | undefined {
    return this.#kept.get(resource);
  }

  #find(operation: Operation): Found | undefined {
    if (!this.#byOperation.has(operation.id)) {
      const work = longRunning(this.model.contract, operation)?.work ?? operation;
      this.#byOperation.set(operation.id, isOfOperations(work) || isPolling(work) ? undefined : this.#methodOf(work));
    }
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
    const kept = [...this.#kept].filter(([resource]) => isAmongItsServices(resource, operation.method));
    if (operation.kind === "server_streaming") return this.#streamOf(operation, kept);
    if (operation.kind !== "unary") return undefined;
    for (const [resource, own] of kept) {
      const plural = /^BatchGet(.+)$/.exec(operation.method.name)?.[1];
      if (plural === undefined || !isPluralOf(snakeCase(plural), resource.singular)) continue;
      const answer = batchGetMethod({ model: this.model, resource, operation, kept: own });
      if (answer !== undefined) return { resource, verb: "batch-get", answer };
    }
    // The longest name first: a method about an order item is not about its order.
    const name = `_${snakeCase(operation.method.name)}_`;
    // A verb without a noun, as in a service of one resource, refers to its response type.
    const isVerb = /^[A-Z][a-z]+$/.test(operation.method.name);
    const named = kept.filter(
      ([resource]) =>
        name.includes(`_${resource.singular}_`) ||
        (isVerb && operation.output === resource.message) ||
        readsAround(resource, operation),
    );
    for (const [resource, own] of named.toSorted(([{ singular }], [next]) => next.singular.length - singular.length)) {
      const answer = attributeMethod({ model: this.model, resource, operation, kept: own });
      if (answer !== undefined) return { resource, verb: "attribute", answer };
    }
    return undefined;
  }

  /** A stream of resources, or of messages that contain one each. */
  #streamOf(operation: Operation, all: readonly (readonly [Resource, ServiceFields])[]): Found | undefined {
    const { method, input, output } = operation;
    const isOf = ({ message }: Resource): boolean => output === message;
    const kept = all.toSorted(([candidate], [next]) => Number(isOf(next)) - Number(isOf(candidate)));
    for (const [resource, own] of kept) {
      const answer = streamMethod({ model: this.model, resource, operation, kept: own });
      const isList = nounAfter("list", method.name) !== undefined || keyReader(input, resource) === undefined;
      if (answer !== undefined) return { resource, verb: isList ? "list" : "get", answer };
    }
    return undefined;
  }
}
