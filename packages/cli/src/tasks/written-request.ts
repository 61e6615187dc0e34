// A logged request as a tasks file has it: without secrets, and completed by an example where the log does not have all of it.
import { clone, create, toJson, type DescField, type JsonValue, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { CallError, type Contract, type Operation } from "@roundtrip/contract";
import { exampleRequests, FieldMasking, isNamedSecret, isPagePosition, isRedacted } from "@roundtrip/fakes/parts";
import type { LoggedCall } from "@roundtrip/styles";

export type Withheld = "a secret" | "a position in the data of the server that wrote the log";

function withheldFor(field: DescField): Withheld | undefined {
  if (isRedacted(field) || isNamedSecret(field)) return "a secret";
  return isPagePosition(field) ? "a position in the data of the server that wrote the log" : undefined;
}

/** The first value of each field of a message, at any depth. */
function valuesIn(message: ReflectMessage, found = new Map<DescField, unknown>()): ReadonlyMap<DescField, unknown> {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (!found.has(field)) found.set(field, message.get(field));
    if (field.fieldKind === "message") valuesIn(message.get(field), found);
    if (field.fieldKind !== "list" || field.listKind !== "message") continue;
    for (const item of message.get(field)) valuesIn(item as ReflectMessage, found);
  }
  return found;
}

/** Sets what is known in an example. A member of a oneof replaces another one. */
function putInto(example: ReflectMessage, known: ReflectMessage): void {
  for (const field of known.fields) {
    if (!known.isSet(field)) continue;
    if (field.fieldKind === "message" && example.isSet(field)) putInto(example.get(field), known.get(field));
    else example.set(field, known.get(field) as never);
  }
}

/** What is written of an operation's requests. */
interface Writing {
  readonly example: Message;
  /** Secrets of the request itself, with made-up values. */
  readonly secrets: readonly (readonly [DescField, unknown])[];
  readonly masking: FieldMasking;
}

/** Writes the requests of one contract. Notes which fields are not written. */
export class RequestWriter {
  readonly #contract: Contract;
  readonly #exampleOf: ReturnType<typeof exampleRequests>;
  readonly #writings = new Map<Operation, Writing>();
  /** Fields that are not written, by operation and name. */
  readonly withheld = new Map<string, Withheld>();

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#exampleOf = exampleRequests(contract);
  }

  /** An empty request where no valid one is possible. */
  #madeUp(operation: Operation): Message {
    try {
      return this.#exampleOf(operation);
    } catch (thrown) {
      if (thrown instanceof CallError) return create(operation.input);
      throw thrown;
    }
  }

  #writing(operation: Operation): Writing {
    const known = this.#writings.get(operation);
    if (known !== undefined) return known;
    const example = this.#madeUp(operation);
    const values = valuesIn(reflect(operation.input, example, false));
    const writing = {
      example,
      secrets: [...values].filter(([field]) => field.parent === operation.input && withheldFor(field) === "a secret"),
      masking: this.#masking(operation, values),
    };
    this.#writings.set(operation, writing);
    return writing;
  }

  #note(field: DescField, { method }: Operation, why: Withheld): void {
    this.withheld.set(`${field.name} of ${method.name}`, why);
  }

  /** Clears what is not written. A secret gets the value that the example has, because rules or the path may require it. */
  #masking(operation: Operation, values: ReadonlyMap<DescField, unknown>): FieldMasking {
    return new FieldMasking(
      (field) => withheldFor(field) !== undefined,
      (message, field) => {
        const why = withheldFor(field) as Withheld;
        this.#note(field, operation, why);
        if (why === "a secret" && values.has(field)) message.set(field, values.get(field));
        else message.clear(field);
      },
    );
  }

  /** Sets secrets that are not set. */
  #addSecrets(operation: Operation, message: ReflectMessage): void {
    for (const [field, value] of this.#writing(operation).secrets) {
      // Another member of a oneof may be set.
      if (message.isSet(field) || field.oneof !== undefined) continue;
      message.set(field, value);
      this.#note(field, operation, "a secret");
    }
  }

  /** In ProtoJSON. @param lacksSecrets whether the request was kept without its secrets, which are made up. */
  write({ operation, request, isWhole }: LoggedCall, lacksSecrets: boolean): JsonValue {
    const { registry } = this.#contract;
    const { input } = operation;
    const { example, masking } = this.#writing(operation);
    if (request === undefined) return toJson(input, example, { registry });
    const kept = clone(input, masking.copyOf(input, request, registry));
    if (lacksSecrets) this.#addSecrets(operation, reflect(input, kept, false));
    if (isWhole) return toJson(input, kept, { registry });
    const completed = clone(input, example);
    putInto(reflect(input, completed, false), reflect(input, kept, false));
    return toJson(input, completed, { registry });
  }
}
