// Fields whose names say that their values do not belong into a file.
import { ScalarType, type DescField } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { snakeCase } from "./snake-case.ts";

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
