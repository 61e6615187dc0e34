// Finds invalid validation rules in a contract. The validator reports an invalid rule without its field and file, often only once a message has to
// pass the rule.
import { create, hasOption, ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect, scalarZeroValue } from "@bufbuild/protobuf/reflect";
import { field as fieldOption } from "../gen/buf/validate/validate_pb.ts";
import { hasOwnRules, validateOption } from "./field-rules.ts";
import { optionPosition } from "../descriptors/source-info.ts";
import { withOnly, withOwnRules } from "./parts-of-types.ts";

/** A message or field whose rules do not compile. */
export interface BrokenRule {
  /** The full name of the message or field. */
  readonly element: string;
  /** `file:line:column: `; see {@link optionPosition}. */
  readonly position: string;
  readonly error: Error;
}

function zeroOf(scalar: ScalarType): unknown {
  return scalarZeroValue(scalar, false);
}

/** A message in which this field is set, so that the validator compiles the field's rules. */
function withSome(field: DescField): Message {
  const reflected = reflect(field.parent);
  const value =
    field.message === undefined
      ? (field.enum?.values[0]?.number ?? zeroOf(field.scalar ?? ScalarType.INT32))
      : reflect(field.message);
  if (field.fieldKind === "list") reflected.get(field).add(value);
  else if (field.fieldKind === "map") reflected.get(field).set(zeroOf(field.mapKey), value);
  else reflected.set(field, value);
  return reflected.message;
}

/** Whether the error is about the rule itself, not about an expression that fails for the sample message only. */
function isOfRule({ name, message }: Error): boolean {
  return name === "CompilationError" || message.includes("error parsing regexp");
}

/** Why the rules of a message cannot be evaluated; undefined when they can. */
type ErrorIn = (desc: DescMessage, message: Message) => Error | undefined;

/**
 * The first rule of a type, or of a type in it, that cannot be compiled; undefined if all can.
 * @param seen types that are checked already; the function adds those that it checks.
 */
export function brokenRule(errorOf: ErrorIn, message: DescMessage, seen: Set<DescMessage>): BrokenRule | undefined {
  const errorIn = (desc: DescMessage, sample: Message): Error | undefined => {
    const error = errorOf(desc, sample);
    return error !== undefined && isOfRule(error) ? error : undefined;
  };
  // What a type that was seen contains was seen with it.
  const isNew = (type: DescMessage | undefined): type is DescMessage => type !== undefined && !seen.has(type);
  const types = new Set([message].filter(isNew));
  // The loop also visits types that it adds.
  for (const type of types) {
    for (const field of type.fields) if (isNew(field.message)) types.add(field.message);
    seen.add(type);
    const own = hasOwnRules(type) ? errorIn(withOwnRules(type), create(type)) : undefined;
    if (own !== undefined)
      return { element: type.typeName, position: optionPosition(type, validateOption), error: own };
    for (const field of type.fields) {
      if (!hasOption(field, fieldOption)) continue;
      const error = errorIn(withOnly(field), withSome(field));
      // The message in a field is checked separately.
      if (error === undefined || (field.message !== undefined && errorIn(field.message, create(field.message))))
        continue;
      return { element: `${type.typeName}.${field.name}`, position: optionPosition(field, validateOption), error };
    }
  }
  return undefined;
}
