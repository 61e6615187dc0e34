// Makes messages of any type from its descriptor: every field is filled, every rule is obeyed, and the size is bounded by `limits.ts`.
import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type CallError, maxNesting } from "@roundtrip/contract";
import { isRequiredOneof, rulesOfField } from "@roundtrip/contract/declared-rules";
import { hasBehavior, impossibleMessage } from "@roundtrip/contract/field-rules";
import { adjustmentOf, type Adjust } from "./coherent.ts";
import type { Draw, MadeFor, MakeContext, MakeMessage, MessageSource, ValueOf } from "./draw.ts";
import { chosenFields, type ChosenFields, shallowFields } from "./exclusive-fields.ts";
import { depthInside, depthOf, isPossibleMessage, isRecursive } from "./least-depth.ts";
import { fieldError, impossible, Made } from "./limits.ts";
import { fieldValues, type MakeValue } from "./field-values.ts";
import { appliesToUnset, isRequiredField } from "./rules.ts";
import { saysFailure } from "./values/failure.ts";
import { wellKnownValue } from "./well-known.ts";

/** The maximum number of messages in one answer, unless rules demand more. */
const messagesPerAnswer = 32;
/** The maximum nesting, unless rules demand more. */
export const usualDepth = 6;

const noPurpose = { name: "", owner: "", fullName: "" };

/** One possible content of a message's member: a field, or one field of a oneof. */
interface Choice {
  readonly field: DescField;
  readonly make: MakeValue;
  readonly holdsMessages: boolean;
  /** The levels of messages that its value has at least. */
  readonly depth: number;
}

interface Member {
  /** Of the field, or of the oneof's first. */
  readonly number: number;
  readonly choices: readonly Choice[];
  /** The choices when no more messages are allowed. */
  readonly lean: readonly Choice[];
  /** Never left out, even without allowance. */
  readonly isRequired: boolean;
  readonly holdsMessages: boolean;
}

interface Plan {
  readonly members: readonly Member[];
  /** The members when no more messages are allowed. */
  readonly lean: readonly Member[];
  readonly messageMembers: number;
  readonly adjust: Adjust | undefined;
}

/** Makes messages of the types of one registry, and caches a maker for each type. */
export class MessageMaker implements MessageSource {
  readonly registry: Registry;
  readonly valueOf: ValueOf;
  readonly madeFor: MadeFor;
  readonly #makers = new Map<DescMessage, MakeMessage>();

  constructor(registry: Registry, valueOf: ValueOf, madeFor: MadeFor) {
    this.registry = registry;
    this.valueOf = valueOf;
    this.madeFor = madeFor;
  }

  /**
   * A message at the top level. It contains no more messages than the allowance, and no deeper ones, unless rules demand more. Throws a CallError for a
   * type of which no message is valid, or whose rules demand more than `limits.ts` allows.
   */
  makeWhole(desc: DescMessage, draw: Draw, { allowance = messagesPerAnswer, maxDepth = usualDepth } = {}): Message {
    const error = messageError(desc);
    if (error !== undefined) throw error;
    return this.make(desc, { draw, allowance, maxDepth, depth: 0, made: new Made() });
  }

  make(desc: DescMessage, making: MakeContext): Message {
    let make = this.#makers.get(desc);
    if (make === undefined) {
      make = wellKnownValue(desc, this, noPurpose, undefined) ?? structure(desc, this);
      this.#makers.set(desc, make);
    }
    return make(making);
  }
}

/** A type is inspected when its first message is made: a large contract has many types that are never used. */
function structure(desc: DescMessage, source: MessageSource): MakeMessage {
  let plan: Plan | undefined;
  return (making) => filled(desc, (plan ??= planOf(desc, source)), making);
}

/** Whether requests or answers leave a field unset: what the other side sets, and in answers what says failure. */
function isLeftOut(field: DescField, madeFor: MadeFor): boolean {
  if (madeFor === "request") return hasBehavior(field, "output-only");
  return hasBehavior(field, "input-only") || (saysFailure(field) && !isRequiredField(field));
}

function membersOf(desc: DescMessage, source: MessageSource, { needed, left }: ChosenFields): readonly Member[] {
  return desc.members
    .map((member): Member => {
      const all = member.kind === "oneof" ? member.fields : [member];
      const fields = all.filter((field) => !left.has(field) && !isLeftOut(field, source.madeFor) && isPossible(field));
      const must = fields.filter((field) => needed.has(field) || isRequiredField(field));
      const choices = (must.length > 0 ? must : fields).map((field) => ({
        field,
        make: fieldValues(field, source, needed.has(field)),
        holdsMessages: holdsMessages(field),
        depth: depthInside(field),
      }));
      const isRequired = must.length > 0 || (member.kind === "oneof" && isRequiredOneof(member));
      return {
        number: Math.min(...all.map(({ number }) => number)),
        choices,
        lean: leanChoices(choices, isRequired || isWanted(member)),
        isRequired,
        holdsMessages: choices.some((choice) => choice.holdsMessages),
      };
    })
    .filter(({ choices }) => choices.length > 0);
}

function planOf(desc: DescMessage, source: MessageSource): Plan {
  const candidates = desc.fields.filter((field) => !isLeftOut(field, source.madeFor));
  const chosen = chosenFields(desc, candidates);
  const members = membersOf(desc, source, chosen);
  const isChosen = [...chosen.needed].some(holdsMessages);
  return {
    members,
    lean: isChosen ? membersOf(desc, source, shallowFields(desc, candidates)) : members,
    messageMembers: members.filter((member) => member.holdsMessages).length,
    adjust:
      source.madeFor === "answer" ? adjustmentOf(desc, (field) => source.valueOf(field) === undefined) : undefined,
  };
}

/** Without messages if possible. A member that is required has at least one choice: one that needs the fewest levels of messages. */
function leanChoices(choices: readonly Choice[], isRequired: boolean): readonly Choice[] {
  const cheap = choices.filter((choice) => !choice.holdsMessages);
  if (!isRequired || cheap.length > 0 || choices.length < 2) return isRequired && cheap.length === 0 ? choices : cheap;
  const least = Math.min(...choices.map(({ field }) => depthInside(field)));
  return choices.filter(({ field }) => depthInside(field) === least);
}

/** Why no message of a type is made up; undefined if one is. */
function messageError(desc: DescMessage): CallError | undefined {
  if (isPossibleMessage(desc)) return undefined;
  const depth = depthOf(desc);
  if (Number.isFinite(depth))
    return impossible(
      `${desc.typeName} needs messages ${depth} levels deep, but protobuf libraries read at most ${maxNesting}`,
    );
  return impossible(impossibleMessage(desc) ?? `no ${desc.typeName} is possible: what it requires contains itself`);
}

/** False for a field that is left unset because no value for it is made up. For one that must be set, the call fails. */
function isPossible(field: DescField): boolean {
  const hasError = fieldError(field, rulesOfField(field)) !== undefined;
  if (depthInside(field) <= maxNesting && !hasError) return true;
  // What rules demand more of than is made up, they demand of an empty value too.
  return isRequiredField(field) || (hasError && appliesToUnset(field));
}

/** Messages that represent single values do not count. */
function holdsMessages({ message }: DescField): boolean {
  return message !== undefined && !/^google\.protobuf\.(?!Any$)/.test(message.typeName);
}

/** A message that is nothing but a oneof says nothing without it. One of messages alone that leads back to its own type has to end somewhere. */
function isWanted(member: DescField | DescOneof): boolean {
  if (member.kind !== "oneof" || member.parent.members.length > 1) return false;
  return member.fields.some(({ message }) => message === undefined) || !isRecursive(member.parent);
}

/** Members that contain messages share the remaining allowance. If it is too small, the first ones get it. */
function filled(
  desc: DescMessage,
  { members, lean, messageMembers, adjust }: Plan,
  { draw, allowance, maxDepth, depth, made }: MakeContext,
): Message {
  const reflected = reflect(desc, create(desc), false);
  if (depth > maxNesting) throw impossible(`${desc.typeName} would be more than ${maxNesting} messages deep`);
  made.addMessage();
  const isDeep = depth >= maxDepth;
  let left = isDeep ? 0 : allowance - 1;
  const share = messageMembers === 0 ? 0 : Math.max(1, Math.floor(left / messageMembers));
  // A new field leaves the values of all others as they are.
  const drawOf = draw.apart();
  for (const member of left > 0 ? members : lean) {
    const granted = member.holdsMessages ? Math.min(left, share) : 0;
    const choices = granted > 0 ? member.choices : member.lean;
    if (choices.length === 0) continue;
    const own = drawOf(member.number);
    const number = own.pickNumber(choices.map(({ field }) => field.number));
    const choice = choices.find(({ field }) => field.number === number) as Choice;
    const { field, make, holdsMessages: costs } = choice;
    if (depth + choice.depth > maxNesting && !member.isRequired) continue;
    if (costs) left -= granted;
    make(reflected, field, { draw: own, allowance: costs ? granted : 0, maxDepth, depth: depth + 1, made });
  }
  adjust?.(reflected);
  return reflected.message;
}
