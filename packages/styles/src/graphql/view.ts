// One operation in a GraphQL developer's notation, and what GraphQL loses of it.
import type { DescMessage } from "@bufbuild/protobuf";
import { type Contract, memoize, type Operation } from "@roundtrip/contract";
import type { OperationView } from "../basics/style.ts";
import { extensionsOf, lostStreams } from "../shared/limitations.ts";
import { unselectedParts } from "./documents/unselected-parts.ts";
import { graphqlModel, typeText, type Model } from "./schema/model.ts";
import type { Direction } from "./schema/names.ts";

function lostExtensions(contract: Contract, message: DescMessage): readonly string[] {
  return extensionsOf(contract, message).map(
    (one) => `${message.name}.[${one.typeName}]: an extension; a type has the fields that it is declared with`,
  );
}

/** What a message loses itself. Operations of a large contract share most of their types. */
const lossesOf = memoize((model: Model) => {
  const ofType = (message: DescMessage, direction: Direction): readonly string[] => [
    ...lostExtensions(model.contract, message),
    ...model.shapes(message).flatMap(({ field, value }) => {
      const name = `${message.name}.${field.name}`;
      const isValue = field.message?.typeName === "google.protobuf.Value";
      return [
        ...(isValue && field.oneof === undefined ? [`${name}: null as against not set`] : []),
        ...(isValue && field.oneof !== undefined && direction === "input" ? [`${name}: null in a request`] : []),
        ...(value.kind === "enum" ? [`${name}: numbers that ${value.enum.name} does not name`] : []),
      ];
    }),
  ];
  return {
    input: memoize((message: DescMessage) => ofType(message, "input")),
    output: memoize((message: DescMessage) => ofType(message, "output")),
  };
});

function lossesIn(model: Model, message: DescMessage, direction: Direction): ReadonlySet<string> {
  const losses = new Set<string>();
  const ofType = lossesOf(model)[direction];
  const types = new Set([message]);
  // The loop also visits types that it adds.
  for (const current of types) {
    for (const loss of ofType(current)) losses.add(loss);
    for (const { value } of model.shapes(current)) if (value.kind === "message") types.add(value.message);
  }
  return losses;
}

/** The bytes fields of a stream, which other styles send unencoded. */
function bytesIn(model: Model, message: DescMessage): readonly string[] {
  const shapes = model.shapes(message).filter(({ value }) => value.kind === "leaf" && value.leaf.type === "Base64");
  return shapes.map(({ field }) => `${message.name}.${field.name}: bytes as they are; Base64 in JSON is a third more`);
}

export function viewOf(operation: Operation, contract: Contract): OperationView {
  const model = graphqlModel(contract);
  const root = model.rootOf.get(operation.id);
  if (root === undefined) return { signature: "", lost: lostStreams(operation) };
  const argumentList = root.arguments.map(({ name, type }) => `${name}: ${typeText(type)}`).join(", ");
  const losses = [
    ...lossesIn(model, operation.input, "input"),
    ...lossesIn(model, operation.output, "output"),
    ...(root.isEmpty ? [] : unselectedParts(model, operation.output)),
    ...(root.root === "subscription" ? bytesIn(model, operation.output) : []),
  ];
  return {
    signature: `${root.root} ${root.name}${argumentList === "" ? "" : `(${argumentList})`}: ${typeText(root.result)}`,
    lost: [...new Set(losses)],
  };
}
