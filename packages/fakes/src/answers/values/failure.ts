// Fields and values that say that something failed. Made-up answers are those of a call that succeeded.
import { ScalarType, type DescEnumValue, type DescField } from "@bufbuild/protobuf";
import { snakeCase } from "@roundtrip/contract/resources";
import { integerRange } from "./number-value.ts";

/** Names of fields with an error, or with a part of one. */
const failureNames =
  /(?:^|_)(?:errors?|errs?|exceptions?|failures?|faults?)(?:_(?:status_)?(?:code|message|msg|info|details?|status|reason|cause|text|string|type|kind|description|name|body))?$|(?:^|_)fail(?:ed|ure)?_(?:reason|message|code|cause)$|^unreachable$/;

const failureFlags = /^(?:is_|has_)?(?:error|errors|failed|failure|errored)$/;

/** Numbers that are zero for a success. */
const resultCodes = /^(?:code|err_?no|rc|ret(?:urn)?_code|exit_code|result_code|error_code)$/;

/** Messages that exist only because something failed, or that describe a result in general. */
const failureOwners = /(?:^|_)(?:errors?|failures?|faults?|problem|exception|violation|status|diagnostic|issue)(?:_|$)/;

function isCount({ fieldKind, scalar, name }: DescField): boolean {
  const isNumber = fieldKind === "scalar" && scalar !== undefined && scalar !== ScalarType.STRING;
  return isNumber && !resultCodes.test(name);
}

/** Whether a successful answer leaves the field unset. */
export function saysFailure(field: DescField): boolean {
  const { message, scalar, enum: desc, parent, fieldKind } = field;
  const name = snakeCase(field.name);
  if (failureOwners.test(snakeCase(parent.name))) return false;
  if (message !== undefined && /(?:^|\.)rpc\.Status$/.test(message.typeName)) return true;
  if (desc?.typeName === "google.rpc.Code") return true;
  if (fieldKind === "scalar" && scalar === ScalarType.BOOL) return failureFlags.test(name);
  if (resultCodes.test(name)) return fieldKind === "scalar" && integerRange(field.scalar) !== undefined;
  return failureNames.test(name) && !isCount(field);
}

/** Fields whose value is the state of their message. */
const stateNames = /(?:^|_)(?:state|status|phase|result|outcome|condition|health)$/;

const failureValues =
  /(?:^|_)(?:FAIL(?:ED|URE|ING)?|ERROR(?:ED|S)?|ABORT(?:ED)?|INVALID|REJECTED|DENIED|CRASHED|BROKEN|UNHEALTHY|UNAVAILABLE|UNREACHABLE|NOT_SERVING|LOST|CORRUPT(?:ED)?|TIMED?_?OUT)(?:_|$)/i;

/** Whether an enum field holds a state, so that a successful answer has none that says failure. */
export function isState({ name }: Pick<DescField, "name">): boolean {
  return stateNames.test(snakeCase(name));
}

/** Whether a value of a state says failure. */
export function isFailureValue({ name }: Pick<DescEnumValue, "name">): boolean {
  return failureValues.test(name);
}
