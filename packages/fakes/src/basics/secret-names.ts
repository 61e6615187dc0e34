// Fields whose names say that their values do not belong into a file.
import { ScalarType, type DescField } from "@bufbuild/protobuf";

const secret =
  /(?:^|_)(?:password|passwd|passphrase|secret|credentials?|authorization|api_?key|private_?key|signature|otp|pin_code|cvv|cvc|(?:access|refresh|id|auth|bearer|csrf|session|security|client)_?token|session_?id)s?(?:$|_)/;

/** Most tokens are secrets; numbers with such names count tokens of a text. */
const token = /(?:^|_)token$/;

const pagePosition =
  /(?:^|_)(?:page|continuation|sync|resume|next|prev|previous|start|starting|scroll|offset)_?(?:token|cursor)$|^cursor$/;

/** The name in lower case with underscores: `apiKey` as `api_key`. */
function plainName({ name }: DescField): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
}

/** True for a page token: a position in the data of one server, which means nothing to another. */
export function isPagePosition(field: DescField): boolean {
  return field.message === undefined && pagePosition.test(plainName(field));
}

/** True for a field that is a secret by its name, such as `password` or `reset_token`. Flags such as `has_password` are not secret. */
export function isNamedSecret(field: DescField): boolean {
  const { scalar } = field;
  if (scalar === undefined || scalar === ScalarType.BOOL || isPagePosition(field)) return false;
  const name = plainName(field);
  const isText = scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
  return secret.test(name) || (isText && token.test(name));
}
