// What logs and recordings hide: fields that the contract marks `debug_redact`, and in files also those with names of secrets.
import type { DescField, DescMessage, Message, Registry } from "@bufbuild/protobuf";
import type { ErrorDetails } from "@roundtrip/contract";
import { FieldMasking, redactedText } from "./masked-copy.ts";
import { isNamedSecret } from "./secret-names.ts";

/** True for a field that the contract marks `debug_redact`. */
export function isRedacted({ proto }: DescField): boolean {
  return proto.options?.debugRedact === true;
}

/** Masks what no program shows: the fields that the contract marks. */
const redacting = new FieldMasking(isRedacted);

/** Masks what no file has, because people commit files: the same, and secrets by their names. */
export const withholding = new FieldMasking((field) => isRedacted(field) || isNamedSecret(field));

function fieldNamed(desc: DescMessage | undefined, name: string): DescField | undefined {
  return desc?.fields.find((field) => field.name === name || field.jsonName === name);
}

/** Whether a path such as `cards[2].number` leads to a hidden field, or through one. */
function isHiddenPath(input: DescMessage, path: string, { isHidden }: FieldMasking): boolean {
  let desc: DescMessage | undefined = input;
  for (const step of path.split(".")) {
    const field = fieldNamed(desc, step.replace(/\[.*$/, ""));
    if (field === undefined) return false;
    if (isHidden(field)) return true;
    desc = field.message;
  }
  return false;
}

/** The details that are present. Descriptions of violations of hidden fields are masked, and so is metadata that has the name of a hidden field. */
export function keptDetails(
  input: DescMessage,
  details: ErrorDetails,
  masking: FieldMasking = redacting,
): Partial<ErrorDetails> {
  const metadata = Object.entries(details.metadata).map(([name, value]): [string, string] => [
    name,
    isHiddenPath(input, name, masking) ? redactedText : value,
  ]);
  const violations = details.violations.map((violation) =>
    isHiddenPath(input, violation.field, masking) ? { ...violation, description: redactedText } : violation,
  );
  const masked = { ...details, metadata: Object.fromEntries(metadata), violations };
  const said = Object.entries(masked).filter(([, value]) => Object.keys(value as object | string).length > 0);
  return Object.fromEntries(said);
}

/** The message with the fields masked that the contract marks: texts are replaced, other values removed. The message itself does not change. */
export function redactedCopy(schema: DescMessage, message: Message, registry: Registry): Message {
  return redacting.copyOf(schema, message, registry);
}
