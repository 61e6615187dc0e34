// A logged request as a tasks file has it: without secrets, and completed by an example where the log does not have all of it.
import { clone, toJson, type DescField, type JsonValue, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Contract, Operation } from "@roundtrip/contract";
import { exampleRequests, redactedCopy } from "@roundtrip/fakes/parts";
import type { LoggedCall } from "@roundtrip/styles";

/** Words of field names whose values nobody else may read. */
const secret =
  /(?:^|_)(?:password|passwd|passphrase|secret|credentials?|authorization|api_?key|private_?key|signature|otp|pin_code|cvv|cvc|(?:access|refresh|id|auth|bearer|csrf|session|security|client)_?token|session_?id)s?(?:$|_)|^token$/;

/** A page token is a position in the data of one server, and means nothing to another. */
const pagePosition = /(?:^|_)(?:page|continuation|sync|resume)_?(?:token|cursor)$|^cursor$/;

export type Withheld = "a secret" | "a position in the data of the server that wrote the log";

function withheldFor({ name }: DescField): Withheld | undefined {
  const plain = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
  if (secret.test(plain)) return "a secret";
  return pagePosition.test(plain) ? "a position in the data of the server that wrote the log" : undefined;
}

const maxDepth = 20;

/** Clears fields that are not written, at any depth. @param note is called for each. */
function clearWithheld(message: ReflectMessage, note: (field: DescField, why: Withheld) => void, depth = 0): void {
  if (depth > maxDepth) return;
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    const why = field.message === undefined ? withheldFor(field) : undefined;
    if (why !== undefined) {
      message.clear(field);
      note(field, why);
    } else if (field.fieldKind === "message") clearWithheld(message.get(field), note, depth + 1);
    else if (field.fieldKind === "list" && field.listKind === "message") {
      for (const item of message.get(field)) clearWithheld(item as ReflectMessage, note, depth + 1);
    } else if (field.fieldKind === "map" && field.mapKind === "message") {
      for (const item of message.get(field).values()) clearWithheld(item as ReflectMessage, note, depth + 1);
    }
  }
}

/** Sets what is known in an example. A member of a oneof replaces another one. */
function putInto(example: ReflectMessage, known: ReflectMessage): void {
  for (const field of known.fields) {
    if (!known.isSet(field)) continue;
    if (field.fieldKind === "message" && example.isSet(field)) putInto(example.get(field), known.get(field));
    else example.set(field, known.get(field) as never);
  }
}

/** Writes the requests of one contract. Notes which fields are not written. */
export class RequestWriter {
  readonly #contract: Contract;
  readonly #exampleOf: ReturnType<typeof exampleRequests>;
  readonly #examples = new Map<Operation, Message>();
  /** Fields that are not written, by operation and name. */
  readonly withheld = new Map<string, Withheld>();

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#exampleOf = exampleRequests(contract);
  }

  #example(operation: Operation): Message {
    const known = this.#examples.get(operation) ?? this.#exampleOf(operation);
    this.#examples.set(operation, known);
    return clone(operation.input, known);
  }

  /** Clears what is not written. A secret of the request itself gets the value of the example, because rules or the path may require it. */
  #withhold(operation: Operation, kept: ReflectMessage): void {
    const secrets: DescField[] = [];
    clearWithheld(kept, (field, why) => {
      this.withheld.set(`${field.name} of ${operation.method.name}`, why);
      if (why === "a secret" && field.parent === operation.input) secrets.push(field);
    });
    if (secrets.length === 0) return;
    const example = reflect(operation.input, this.#example(operation), false);
    for (const field of secrets) if (example.isSet(field)) kept.set(field, example.get(field) as never);
  }

  /** In ProtoJSON. */
  write({ operation, request, isWhole }: LoggedCall): JsonValue {
    const { registry } = this.#contract;
    const { input } = operation;
    if (request === undefined) return toJson(input, this.#example(operation), { registry });
    const kept = clone(input, redactedCopy(input, request, registry));
    this.#withhold(operation, reflect(input, kept, false));
    if (isWhole) return toJson(input, kept, { registry });
    const example = this.#example(operation);
    putInto(reflect(input, example, false), reflect(input, kept, false));
    return toJson(input, example, { registry });
  }
}
