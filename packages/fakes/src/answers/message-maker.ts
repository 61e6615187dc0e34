// Messages of any type, made up from its descriptor: every field says something, every rule is kept, and none grows without end.
import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import type { Draw } from "./draw.ts";
import { fieldValues, type MakeValue } from "./field-values.ts";
import type { MakeMessage, Making, MessageSource, ValueOf } from "./making.ts";
import { exclusiveFields, isRequiredOneof, rulesOfField } from "./rules.ts";
import { wellKnownValue } from "./well-known.ts";

/** How many messages one answer holds at most, unless rules ask for more. */
const messagesPerAnswer = 32;
const maxDepth = 6;
/** Messages that have to hold themselves end here, broken: there is no right one. */
const hardDepth = 24;
/** Nor are there more than these: what must hold itself twice doubles with each level. */
const hardMessages = 20_000;

const noPurpose = { name: "", owner: "" };

/** One way to fill a member of a message: a field, or one of the fields of a oneof. */
interface Choice {
  readonly field: DescField;
  readonly make: MakeValue;
  readonly holdsMessages: boolean;
}

interface Member {
  readonly choices: readonly Choice[];
  /** Left out never, whatever is left of the allowance. */
  readonly isRequired: boolean;
  readonly holdsMessages: boolean;
}

interface Plan {
  readonly members: readonly Member[];
  readonly messageMembers: number;
}

/** Makes up messages of the types of one registry. What it has learnt of a type it keeps. */
export class MessageMaker implements MessageSource {
  readonly registry: Registry;
  readonly valueOf: ValueOf;
  readonly #makers = new Map<DescMessage, MakeMessage>();

  constructor(registry: Registry, valueOf: ValueOf) {
    this.registry = registry;
    this.valueOf = valueOf;
  }

  /** A message that no other is around. @param allowance how many messages it may hold, unless rules ask for more. */
  makeWhole(desc: DescMessage, draw: Draw, allowance: number = messagesPerAnswer): Message {
    return this.make(desc, { draw, allowance, depth: 0, total: { messages: 0 } });
  }

  make(desc: DescMessage, making: Making): Message {
    let make = this.#makers.get(desc);
    if (make === undefined) {
      make = wellKnownValue(desc, this, noPurpose, undefined) ?? structure(desc, this);
      this.#makers.set(desc, make);
    }
    return make(making);
  }
}

/** A type is looked at when the first message of it is made: a large contract has many that nobody asks for. */
function structure(desc: DescMessage, source: MessageSource): MakeMessage {
  let plan: Plan | undefined;
  return (making) => filled(desc, (plan ??= planOf(desc, source)), making);
}

function planOf(desc: DescMessage, source: MessageSource): Plan {
  const left = new Set(exclusiveFields(desc).flatMap((fields) => fields.slice(1)));
  const members = desc.members
    .map((member): Member => {
      const fields = member.kind === "oneof" ? member.fields : [member];
      const must = fields.filter((field) => isRequired(field));
      const choices = (must.length > 0 ? must : fields)
        .filter(({ name }) => !left.has(name))
        .map((field) => ({ field, make: fieldValues(field, source), holdsMessages: holdsMessages(field) }));
      return {
        choices,
        isRequired: must.length > 0 || isRequiredGroup(member),
        holdsMessages: choices.some((choice) => choice.holdsMessages),
      };
    })
    .filter(({ choices }) => choices.length > 0);
  return { members, messageMembers: members.filter((member) => member.holdsMessages).length };
}

/** Messages that are values rather than structures cost nothing. */
function holdsMessages({ message }: DescField): boolean {
  return message !== undefined && !/^google\.protobuf\.(?!Any$)/.test(message.typeName);
}

function isRequired(field: DescField): boolean {
  if (field.presence === Presence.LEGACY_REQUIRED) return true;
  const rules = rulesOfField(field);
  if (rules === undefined) return false;
  if (rules.required) return true;
  if (rules.type.case === "repeated") return rules.type.value.minItems > 0n;
  return rules.type.case === "map" && rules.type.value.minPairs > 0n;
}

function isRequiredGroup(member: DescField | DescOneof): boolean {
  return member.kind === "oneof" && isRequiredOneof(member);
}

/** The allowance that is left is shared by all members that hold messages; where there is too little, the first ones have it. */
function filled(
  desc: DescMessage,
  { members, messageMembers }: Plan,
  { draw, allowance, depth, total }: Making,
): Message {
  const reflected = reflect(desc, create(desc), false);
  if (depth > hardDepth || ++total.messages > hardMessages) return reflected.message;
  const isDeep = depth >= maxDepth;
  let left = isDeep ? 0 : allowance - 1;
  const share = messageMembers === 0 ? 0 : Math.max(1, Math.floor(left / messageMembers));
  for (const { choices, isRequired: must, holdsMessages: isCostly } of members) {
    const granted = isCostly ? Math.min(left, share) : 0;
    const affordable = granted > 0 || must ? choices : choices.filter((choice) => !choice.holdsMessages);
    if (affordable.length === 0) continue;
    const {
      field,
      make,
      holdsMessages: costs,
    } = affordable.length === 1 ? (affordable[0] as Choice) : draw.pick(affordable);
    if (costs) left -= granted;
    make(reflected, field, { draw, allowance: costs ? granted : 0, depth: depth + 1, total });
  }
  return reflected.message;
}
