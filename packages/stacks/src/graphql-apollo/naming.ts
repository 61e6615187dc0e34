// Every type of a schema gets its name here.
import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import { isAnswer, readAnswerLike } from "../answers.ts";
import { entityNames, fieldEnumNames, inputNames, NameBook, responseNames, upperFirst } from "./names.ts";
import type { Carrier, Shape } from "./shape.ts";

/** Whether a type is sent or received: GraphQL has types for each. */
export type Direction = "output" | "input";

/** The scalars of this mapping, beside GraphQL's own. */
const customScalars = ["Int64", "UInt64", "UInt32", "Double", "Base64", "DateTime", "Duration", "JSON"] as const;

const reserved = ["Query", "Mutation", "Subscription", "String", "Int", "Float", "Boolean", "ID", ...customScalars];

/** Names in the order in which the contract first uses the types: data first, then answers of queries, of mutations, then requests. */
export class Naming {
  readonly #types = new NameBook(reserved);
  readonly #shapes: (message: DescMessage) => readonly Shape[];
  readonly #outputs = new Map<DescMessage, string>();
  readonly #inputs = new Map<DescMessage, string>();
  readonly #enums = new Map<DescEnum, string>();
  readonly #fieldEnums = new Map<DescMessage, string>();
  readonly #entries = new Map<string, string>();

  constructor(operations: readonly Operation[], shapes: (message: DescMessage) => readonly Shape[]) {
    this.#shapes = shapes;
    const outputs = this.#reachable(operations.map(({ output }) => output));
    const inputs = this.#reachable(operations.map(({ input }) => input));
    const answers = new Set(operations.map(({ output }) => output).filter((message) => isAnswer(message)));
    const asked = new Set(operations.filter(({ sideEffects }) => sideEffects === "none").map(({ output }) => output));
    for (const message of outputs) {
      if (!answers.has(message)) this.#outputs.set(message, this.#types.claim(entityNames(message)));
    }
    for (const message of [...outputs, ...inputs]) this.#nameEnums(message);
    for (const message of outputs) {
      if (answers.has(message) && asked.has(message)) {
        this.#outputs.set(message, this.#types.claim(responseNames(message, true)));
      }
    }
    for (const message of outputs) {
      if (!answers.has(message) || asked.has(message)) continue;
      const alike = readAnswerLike(message, operations);
      const name = alike === undefined ? undefined : this.#outputs.get(alike);
      this.#outputs.set(message, name ?? this.#types.claim(responseNames(message, false)));
    }
    for (const message of inputs) this.#inputs.set(message, this.#types.claim(inputNames(message)));
    for (const message of outputs) this.#nameEntries(message, "output");
    for (const message of inputs) this.#nameEntries(message, "input");
  }

  #reachable(from: readonly DescMessage[]): ReadonlySet<DescMessage> {
    const found = new Set<DescMessage>();
    const visit = (message: DescMessage): void => {
      if (found.has(message)) return;
      found.add(message);
      for (const { value } of this.#shapes(message)) if (value.kind === "message") visit(value.message);
    };
    for (const message of from) visit(message);
    return found;
  }

  #nameEnums(message: DescMessage): void {
    for (const { value } of this.#shapes(message)) {
      if (value.kind === "enum" && !this.#enums.has(value.enum)) {
        this.#enums.set(value.enum, this.#types.claim(entityNames(value.enum)));
      }
      if (value.kind === "fields" && !this.#fieldEnums.has(value.message)) {
        this.#fieldEnums.set(value.message, this.#types.claim(fieldEnumNames(value.message)));
      }
    }
  }

  #nameEntries(message: DescMessage, direction: Direction): void {
    const names = direction === "output" ? this.#outputs : this.#inputs;
    for (const { arrangement, field, name } of this.#shapes(message)) {
      if (arrangement !== "map") continue;
      const owner = (names.get(message) ?? "").replace(/Input$/, "");
      const entry = `${owner}${upperFirst(name)}Entry${direction === "input" ? "Input" : ""}`;
      this.#entries.set(`${direction} ${field.toString()}`, this.#types.claim([entry]));
    }
  }

  value(value: Carrier, direction: Direction): string {
    switch (value.kind) {
      case "leaf":
        return value.leaf.type;
      case "presence":
        return "Boolean";
      case "enum":
        return this.#enums.get(value.enum) ?? "";
      case "fields":
        return this.#fieldEnums.get(value.message) ?? "";
      case "message":
        return (direction === "output" ? this.#outputs : this.#inputs).get(value.message) ?? "";
    }
  }

  entry(field: DescField, direction: Direction): string {
    return this.#entries.get(`${direction} ${field.toString()}`) ?? "";
  }
}
