// One call inside a GraphQL document: its field with arguments as variables, and its answer. Values never stand in the text, because
// servers keep parsed documents by their text.
import type { Message } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { fieldPaths } from "../field-paths.ts";
import type { Codec, JsonFields } from "./codec.ts";
import { fieldName } from "./field-name.ts";
import { typeText, type Model, type RootField } from "./model.ts";
import { maskedFields } from "./selection.ts";

/** A call's place in a document: names are made unique by `prefix`, the answer comes back as `answerName`. */
export interface Question {
  readonly root: RootField;
  /** Under this name the answer stands in `data`. */
  readonly answerName: string;
  /** `$id: Int!` for each argument. */
  readonly variableDefinitions: string;
  /** What the request's read mask asks for, as a key: equal keys have equal texts. */
  maskKey(request: Message): string;
  /** `customer(id: $id) { id name }`. */
  field(request: Message): string;
  /** Throws INVALID_ARGUMENT for what GraphQL cannot carry. */
  variables(request: Message): Record<string, unknown>;
  /** An error of this call as the service gave it. */
  restored(error: CallError): CallError;
  /** Throws INTERNAL for an answer that does not fit the contract. */
  answer(data: JsonFields): Message;
}

interface Codecs {
  readonly input: Codec;
  readonly output: Codec;
}

/** @param alias gives the call names of its own beside others in a document; undefined for a call alone. */
export function questionOf(root: RootField, model: Model, codecs: Codecs, alias: string | undefined): Question {
  const { operation, name } = root;
  const { input, output, readMask } = operation;
  const prefix = alias === undefined ? "" : `${alias}_`;
  const variable = (argument: string): string => `${prefix}${argument}`;
  const answerName = alias ?? name;
  const given = root.arguments.map((argument) => `${argument.name}: $${variable(argument.name)}`).join(", ");
  const head = `${alias === undefined ? "" : `${alias}: `}${name}${given === "" ? "" : `(${given})`}`;
  const pathsOf = (request: Message): readonly string[] => {
    if (readMask === undefined) return [];
    const mask = (request as unknown as Record<string, { readonly paths: readonly string[] } | undefined>)[
      readMask.localName
    ];
    return mask?.paths ?? [];
  };
  const wrap =
    root.root === "mutation"
      ? (json: Record<string, unknown>) => (root.arguments.length === 0 ? {} : { [variable("input")]: json })
      : alias === undefined
        ? (json: Record<string, unknown>) => json
        : (json: Record<string, unknown>) =>
            Object.fromEntries(Object.entries(json).map(([key, value]) => [variable(key), value]));
  const { restored } = fieldPaths(input, fieldName, fieldName);
  return {
    root,
    answerName,
    restored,
    variableDefinitions: root.arguments.map(({ name: own, type }) => `$${variable(own)}: ${typeText(type)}`).join(", "),
    maskKey: (request) => pathsOf(request).join("\0"),
    field(request) {
      if (root.isEmpty) return head;
      return `${head} ${maskedFields(model, output, pathsOf(request), readMask?.name ?? "")}`;
    },
    variables(request) {
      try {
        return wrap(codecs.input.encode(request));
      } catch (thrown) {
        if (thrown instanceof CallError) throw thrown;
        throw new CallError("INVALID_ARGUMENT", `${input.name}: ${(thrown as Error).message}`, {}, { cause: thrown });
      }
    },
    answer(data) {
      if (root.isEmpty) return create(output);
      const answer = data[answerName];
      try {
        if (typeof answer !== "object" || answer === null) throw new Error(`no answer as ${answerName}`);
        return codecs.output.decode(answer as JsonFields);
      } catch (thrown) {
        const message = `the answer does not fit the contract: ${(thrown as Error).message}`;
        throw new CallError("INTERNAL", message, {}, { cause: thrown });
      }
    },
  };
}
