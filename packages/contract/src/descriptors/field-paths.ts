// Violations name fields. A service spells them as the contract does (`read_mask`); each style shows them as its own documents do
// (`readMask`), and its client spells them back, so that a caller gets the same error over every style.
import type { DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import { CallError } from "../basics/call-error.ts";

/** Both ways between the contract's spelling of an operation's fields and a style's. */
export interface FieldPaths {
  /** The error as the style shows it. */
  readonly spelled: (error: CallError) => CallError;
  /** The error as the service gave it. */
  readonly restored: (error: CallError) => CallError;
}

type NameOf = (field: DescField) => string;

/** The name behind which a style has the members of a oneof; undefined where they stand among the other fields. */
type OneofNameOf = (oneof: DescOneof) => string | undefined;

// One name of a path with the places in lists and maps behind it: `items[2]`, `labels["a.b"]`.
const step = /(?:^|(?<=.)\.)([A-Za-z_]\w*)((?:\[(?:\d+|-\d+|true|false|"(?:[^"\\]|\\.)*")\])*)/y;

const ownName: NameOf = ({ name }) => name;

interface Spelling {
  readonly ofField: NameOf;
  readonly ofOneof: OneofNameOf;
}

/** Oneofs have a name in the contract too, for violations about all of their members; it stands before none. */
const contractSpelling: Spelling = { ofField: ownName, ofOneof: () => undefined };

/** What a step of a path goes into: a message, or a oneof where members stand behind its name. */
type FieldOwner = DescMessage | DescOneof;

function found(owner: FieldOwner | undefined, name: string | undefined, { ofField, ofOneof }: Spelling) {
  if (owner === undefined || name === undefined) return undefined;
  if (owner.kind === "oneof") return owner.fields.find((field) => ofField(field) === name);
  const isHere = ({ oneof }: DescField): boolean => oneof === undefined || ofOneof(oneof) === undefined;
  return (
    owner.fields.find((field) => isHere(field) && ofField(field) === name) ??
    owner.oneofs.find((oneof) => (ofOneof(oneof) ?? oneof.name) === name)
  );
}

/** The path with its names found by one spelling and written in the other; as it is where it is no path of the message. */
function translated(message: DescMessage, path: string, from: Spelling, to: Spelling): string {
  let at: FieldOwner | undefined = message;
  const steps: string[] = [];
  step.lastIndex = 0;
  for (let end = 0; end < path.length; end = step.lastIndex) {
    const [, name, places] = step.exec(path) ?? [];
    const next: DescField | DescOneof | undefined = found(at, name, from);
    if (next === undefined) return path;
    if (next.kind === "oneof") {
      const isLast = step.lastIndex === path.length;
      // Alone it stands for all of its members; before one of them it says nothing that the member does not.
      if (places !== "" || (!isLast && from.ofOneof(next) === undefined)) return path;
      if (isLast) steps.push(to.ofOneof(next) ?? next.name);
      at = next;
    } else {
      const before = next.oneof === undefined ? undefined : to.ofOneof(next.oneof);
      steps.push(...(before === undefined ? [] : [before]), `${to.ofField(next)}${places}`);
      at = next.message;
    }
  }
  return steps.join(".");
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

/** Members of a oneof among the other fields of their message, as the contract's JSON has them. */
const flat: OneofNameOf = () => undefined;

/**
 * The spellings of an operation's fields.
 * @param ofField what the style calls a field.
 * @param ofOneof what the style calls a oneof, if its members stand behind that name: `circle.radius` is `kind.circle.radius` there.
 */
export function fieldPaths(input: DescMessage, ofField: NameOf, ofOneof: OneofNameOf = flat): FieldPaths {
  const style: Spelling = { ofField, ofOneof };
  return {
    spelled: (error) => withPaths(error, (path) => translated(input, path, contractSpelling, style)),
    restored: (error) => withPaths(error, (path) => translated(input, path, style, contractSpelling)),
  };
}
