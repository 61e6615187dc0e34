// One operation in a GraphQL developer's notation, and what GraphQL loses of it.
import type { DescMessage } from "@bufbuild/protobuf";
import { type Contract, containsType, extensionsIn, memoize, type Operation } from "@roundtrip/contract";
import type { OperationView } from "../basics/style.ts";
import { lostStreams } from "../shared/limitations.ts";
import { unselectedParts } from "./documents/unselected-parts.ts";
import { graphqlModel, typeText, type Model } from "./schema/model.ts";

function lostExtensions(contract: Contract, message: DescMessage): readonly string[] {
  return (extensionsIn(contract.registry).get(message.typeName) ?? []).map(
    (one) => `${message.name}.[${one.typeName}]: an extension; a type has the fields that it is declared with`,
  );
}

/** What a message loses itself. Operations of a large contract share most of their types. */
const lossesOf = memoize((model: Model) => {
  const ofType = (message: DescMessage, direction: "input" | "output"): readonly string[] => [
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
  const inside = (message: DescMessage): readonly DescMessage[] =>
    model.shapes(message).flatMap(({ value }) => (value.kind === "message" ? [value.message] : []));
  const inDirection = (direction: "input" | "output") => {
    const own = memoize((message: DescMessage) => ofType(message, direction));
    return { own, contains: containsType((message) => own(message).length > 0, inside) };
  };
  return { input: inDirection("input"), output: inDirection("output") };
});

function lossesIn(model: Model, message: DescMessage, direction: "input" | "output"): ReadonlySet<string> {
  const losses = new Set<string>();
  const { own, contains } = lossesOf(model)[direction];
  const types = new Set([message].filter(contains));
  // The loop also visits types that it adds.
  for (const current of types) {
    for (const loss of own(current)) losses.add(loss);
    for (const { value } of model.shapes(current))
      if (value.kind === "message" && contains(value.message)) types.add(value.message);
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
