// What logs and recordings hide: fields that the contract marks `debug_redact`, and in files also those with names of secrets.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import type { ErrorDetails } from "@roundtrip/contract";
import { snakeCase } from "@roundtrip/contract/resources";
import { FieldMasking, redactedText } from "./masked-copy.ts";

const secret =
  /(?:^|_)(?:password|passwd|passphrase|secret|credentials?|authorization|api_?key|access_?key|private_?key|jwt|signature|otp|pin_code|cvv|cvc|(?:access|refresh|id|auth|bearer|csrf|session|security|client)_?token|session_?id)s?(?:$|_)/;

/** Fields about a secret, such as `secret_version` or `password_min_length`, are not secret. */
const ofSecret = /(?<!session)_(?:id|name|version|count|length|type|policy)s?$/;

/** Most tokens are secrets; numbers with such names count tokens of a text. */
const token = /(?:^|_)token$/;

const pagePosition =
  /(?:^|_)(?:page|continuation|sync|resume|next|prev|previous|start|starting|scroll|offset)_?(?:token|cursor)$|^cursor$/;

/** The type of a value; that of a wrapper is the type of what it wraps. */
function scalarOf({ scalar, message }: DescField): ScalarType | undefined {
  return message !== undefined && isWrapperDesc(message) ? message.fields[0]?.scalar : scalar;
}

/** True for a page token: a position in the data of one server, which means nothing to another. */
export function isPagePosition(field: DescField): boolean {
  return (field.message === undefined || isWrapperDesc(field.message)) && pagePosition.test(snakeCase(field.name));
}

/** True for a field that is a secret by its name, such as `password` or `reset_token`. Flags such as `has_password` are not secret. */
export function isNamedSecret(field: DescField): boolean {
  const scalar = scalarOf(field);
  if (scalar === undefined || scalar === ScalarType.BOOL || isPagePosition(field)) return false;
  const name = snakeCase(field.name);
  const isText = scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
  return (secret.test(name) && !ofSecret.test(name)) || (isText && token.test(name));
}

/** True for a field that the contract marks `debug_redact`. */
export function isRedacted({ proto }: DescField): boolean {
  return proto.options?.debugRedact === true;
}

/** Masks what no program shows: the fields that the contract marks. */
export const redacting = new FieldMasking(isRedacted);

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
export function keptDetails(input: DescMessage, details: ErrorDetails, masking: FieldMasking): Partial<ErrorDetails> {
  const metadata = Object.entries(details.metadata).map(([name, value]): [string, string] => [
    name,
    isHiddenPath(input, name, masking) ? redactedText : value,
  ]);
  const violations = details.violations.map((violation) =>
    isHiddenPath(input, violation.field, masking) ? { ...violation, description: redactedText } : violation,
  );
  const masked = { ...details, metadata: Object.fromEntries(metadata), violations };
  const present = Object.entries(masked).filter(([, value]) => Object.keys(value as object | string).length > 0);
  return Object.fromEntries(present);
}
