// Whether the client's document asks for all of an answer. Only recursive types can go deeper.
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { CallError, type Contract, memoize, type Operation } from "@roundtrip/contract";
import { pathsAsked } from "./call.ts";
import { stepsTo, type Levels, type Position, type MaskTree } from "./levels.ts";
import { graphqlModel, type Model } from "../schema/model.ts";
import { answerDepth, selectedLevels } from "./selection.ts";
import type { Shape } from "../schema/shape.ts";

interface Document {
  readonly model: Model;
  readonly levels: Levels;
}

function messagesOf(message: ReflectMessage, { field }: Shape): readonly ReflectMessage[] {
  if (!message.isSet(field)) return [];
  if (field.fieldKind === "list") return [...message.get(field)] as ReflectMessage[];
  if (field.fieldKind === "map") return [...message.get(field).values()] as ReflectMessage[];
  return [message.get(field) as ReflectMessage];
}

/** Whether the document selects everything in the message. */
function fits({ model, levels }: Document, position: Position | undefined, message: ReflectMessage): boolean {
  if (position === undefined) return false;
  return model.shapes(message.desc).every((shape) => {
    if (shape.value.kind !== "message") return true;
    const inner = levels.inside(position, shape.value.message, shape);
    return messagesOf(message, shape).every((held) => fits({ model, levels }, inner, held));
  });
}

function fitsMasked(document: Document, tree: MaskTree | "all", depthLeft: number, message: ReflectMessage): boolean {
  const { model, levels } = document;
  if (tree === "all") return fits(document, levels.first(message.desc, depthLeft), message);
  return model.shapes(message.desc).every((shape) => {
    const inner = tree.get(shape.field.name);
    if (inner === undefined || shape.value.kind !== "message") return true;
    return messagesOf(message, shape).every((held) => fitsMasked(document, inner, depthLeft - stepsTo(shape), held));
  });
}

/** How deeply a document for all fields of a type selects; undefined if there is no such document. */
const levelsOfWhole = memoize((model: Model) =>
  memoize((message: DescMessage): Levels | undefined => {
    try {
      return selectedLevels(model, { message, paths: [], maskName: "", prefix: "", calls: 1 }).levels;
    } catch (thrown) {
      if (thrown instanceof CallError) return undefined;
      throw thrown;
    }
  }),
);

/**
 * Whether a document that asks for all fields of a type asks for all of a message. It does unless the message contains its own type too deeply. True
 * if there is no such document.
 */
export function asksForWhole(contract: Contract, desc: DescMessage, message: Message): boolean {
  const model = graphqlModel(contract);
  const levels = levelsOfWhole(model)(desc);
  return levels === undefined || fits({ model, levels }, levels.first(desc, answerDepth), reflect(desc, message));
}

/** Whether the document of a request asks for all of an answer. If not, the client refuses the answer as too deep. */
export function asksForAllOf(contract: Contract, operation: Operation, request: Message, answer: Message): boolean {
  const { output, readMask } = operation;
  const model = graphqlModel(contract);
  const wanted = { message: output, paths: pathsAsked(operation, request), maskName: readMask?.name ?? "" };
  const { levels, tree } = selectedLevels(model, { ...wanted, prefix: "", calls: 1 });
  return fitsMasked({ model, levels }, tree, answerDepth, reflect(output, answer));
}
