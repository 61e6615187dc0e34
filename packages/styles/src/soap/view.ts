// One operation in a SOAP developer's notation, and the parts that SOAP cannot carry.
import { ScalarType, type DescField, type DescMessage } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import type { OperationView } from "../basics/style.ts";
import { extensionsOf } from "../shared/extensions-of.ts";
import { lostStreams } from "../shared/streams.ts";
import { fieldsOf, particlesOf } from "./schema/field-order.ts";
import { answerElement, requestElement } from "./schema/names.ts";

/** The same for every field, so that it is listed once. */
const controlCharacters = "text: control characters, which XML 1.0 does not have";

function lossesOf(message: DescMessage, field: DescField): readonly string[] {
  if (field.enum?.open === true)
    return [`${message.name}.${field.name}: numbers that ${field.enum.name} does not name`];
  const holdsText =
    field.scalar === ScalarType.STRING || (field.fieldKind === "map" && field.mapKey === ScalarType.STRING);
  return holdsText ? [controlCharacters] : [];
}

function lossesIn(contract: Contract, { input, output }: Operation): readonly string[] {
  const losses = new Set<string>();
  const messages = new Set([input, output]);
  // The loop also visits types that it adds.
  for (const message of messages) {
    for (const { typeName } of extensionsOf(contract, message)) {
      losses.add(`${message.name}.[${typeName}]: an extension; a type has the elements that it is declared with`);
    }
    for (const field of message.fields) {
      if (field.message !== undefined) messages.add(field.message);
      for (const loss of lossesOf(message, field)) losses.add(loss);
    }
  }
  return [...losses];
}

function elementsText(message: DescMessage): string {
  const names = particlesOf(message).map((particle) =>
    fieldsOf(particle)
      .map(({ name }) => name)
      .join("|"),
  );
  return names.length === 0 ? "" : ` {${names.join(", ")}}`;
}

/** For example `SayHello {name} → SayHelloResponse {message}`: the elements of the bodies, with their children. */
export function viewOf(operation: Operation, contract: Contract): OperationView {
  if (operation.kind !== "unary") return { signature: "", lost: lostStreams(operation) };
  const { input, output } = operation;
  const answer = `${answerElement(operation)}${elementsText(output)}`;
  return {
    signature: `${requestElement(operation)}${elementsText(input)} → ${answer}`,
    lost: lossesIn(contract, operation),
  };
}
