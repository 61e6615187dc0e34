// Which rule of a contract makes no sense: the validator tells what is wrong with it, mostly once a message comes that has to keep it, and neither whose it
// is nor where it stands.
import { create, hasOption, ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect, scalarZeroValue } from "@bufbuild/protobuf/reflect";
import { field as fieldOption } from "./gen/buf/validate/validate_pb.ts";
import { hasOwnRules, validateOption } from "./has-rules.ts";
import { optionPosition } from "./source-position.ts";

/** What has rules that do not compile. */
export interface BrokenRule {
  /** Its full name. */
  readonly of: string;
  /** `file:line:column: `; see {@link optionPosition}. */
  readonly place: string;
  readonly error: Error;
}

/** The message and all that it holds, each once. */
function typesIn(message: DescMessage): ReadonlySet<DescMessage> {
  const types = new Set([message]);
  // What is added meanwhile is visited too.
  for (const { fields } of types) for (const { message: held } of fields) if (held !== undefined) types.add(held);
  return types;
}

function zeroOf(scalar: ScalarType): unknown {
  return scalarZeroValue(scalar, false);
}

/** A message in which this field is set: its rules are looked at then. */
function withSome(field: DescField): Message {
  const reflected = reflect(field.parent);
  const one =
    field.message === undefined
      ? (field.enum?.values[0]?.number ?? zeroOf(field.scalar ?? ScalarType.INT32))
      : reflect(field.message);
  if (field.fieldKind === "list") reflected.get(field).add(one);
  else if (field.fieldKind === "map") reflected.get(field).set(zeroOf(field.mapKey), one);
  else reflected.set(field, one);
  return reflected.message;
}

/** The type with one of its fields and no rules of its own. */
function withOnly(field: DescField): DescMessage {
  const { parent } = field;
  return Object.create(parent, {
    fields: { value: [field] },
    oneofs: { value: [] },
    proto: { value: { ...parent.proto, options: undefined } },
  }) as DescMessage;
}

/** The type with its own rules and no field. */
function withoutFields(message: DescMessage): DescMessage {
  return Object.create(message, { fields: { value: [] } }) as DescMessage;
}

/** Whether it is about the rule, rather than about an expression that has no value for the message that it was tried on. */
function isOfRule({ name, message }: Error): boolean {
  return name === "CompilationError" || message.includes("error parsing regexp");
}

/** Why the rules of a message cannot be evaluated; undefined when they can. */
type ErrorIn = (desc: DescMessage, message: Message) => Error | undefined;

/** The first rule of a type, or of what it holds, that cannot be compiled; undefined when all can. @param seen types that need not be looked at, and are added to. */
export function brokenRule(errorOf: ErrorIn, message: DescMessage, seen: Set<DescMessage>): BrokenRule | undefined {
  const errorIn = (desc: DescMessage, sample: Message): Error | undefined => {
    const error = errorOf(desc, sample);
    return error !== undefined && isOfRule(error) ? error : undefined;
  };
  for (const type of typesIn(message)) {
    if (seen.has(type)) continue;
    seen.add(type);
    const own = hasOwnRules(type) ? errorIn(withoutFields(type), create(type)) : undefined;
    if (own !== undefined) return { of: type.typeName, place: optionPosition(type, validateOption), error: own };
    for (const field of type.fields) {
      if (!hasOption(field, fieldOption)) continue;
      const error = errorIn(withOnly(field), withSome(field));
      // What a field holds is looked at by itself.
      if (error === undefined || (field.message !== undefined && errorIn(field.message, create(field.message))))
        continue;
      return { of: `${type.typeName}.${field.name}`, place: optionPosition(field, validateOption), error };
    }
  }
  return undefined;
}
