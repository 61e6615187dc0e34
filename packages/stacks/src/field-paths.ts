// Violations name fields. A service spells them as the contract does (`read_mask`); each style shows them as its own documents do
// (`readMask`), and its client spells them back, so that a caller gets the same error over every style.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";

/** Both ways between the contract's spelling of an operation's fields and a style's. */
export interface FieldPaths {
  /** The error as the style shows it. */
  readonly spelled: (error: CallError) => CallError;
  /** The error as the service gave it. */
  readonly restored: (error: CallError) => CallError;
}

type NameOf = (field: DescField) => string;

// One name of a path with the places in lists and maps behind it: `items[2]`, `labels["a.b"]`.
const step = /(?:^|(?<=.)\.)([A-Za-z_]\w*)((?:\[(?:\d+|-\d+|true|false|"(?:[^"\\]|\\.)*")\])*)/y;

const ownName: NameOf = ({ name }) => name;

/** The path with its names found by one spelling and written in the other; as it is where it is no path of the message. */
function translated(message: DescMessage, path: string, from: NameOf, to: NameOf): string {
  let at: DescMessage | undefined = message;
  let text = "";
  step.lastIndex = 0;
  for (let end = 0; end < path.length; end = step.lastIndex) {
    const [, name, places] = step.exec(path) ?? [];
    const field: DescField | undefined = at?.fields.find((candidate) => from(candidate) === name);
    if (field === undefined) return path;
    text += `${text === "" ? "" : "."}${to(field)}${places}`;
    at = field.message;
  }
  return text;
}

/** The same error about fields in another spelling, in its text too where that begins with the first field. */
function withPaths(error: CallError, translate: (path: string) => string): CallError {
  const { code, message, details } = error;
  const [first] = details.violations;
  if (first === undefined) return error;
  const violations = details.violations.map((violation) => ({ ...violation, field: translate(violation.field) }));
  const begins = first.field !== "" && message.startsWith(`${first.field}: `);
  const text = begins ? translate(first.field) + message.slice(first.field.length) : message;
  return new CallError(code, text, { ...details, violations }, { cause: error });
}

/** The spellings of an operation's fields. @param styleName what the style calls a field. */
export function fieldPaths(input: DescMessage, styleName: NameOf): FieldPaths {
  return {
    spelled: (error) => withPaths(error, (path) => translated(input, path, ownName, styleName)),
    restored: (error) => withPaths(error, (path) => translated(input, path, styleName, ownName)),
  };
}
