// Conformance cases for the required fields of any contract: those of proto2, and those that google.api.field_behavior marks as REQUIRED. A
// request without one is INVALID_ARGUMENT over every style.
import { clone, create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { CallError, type Client, type Contract, type Operation } from "@roundtrip/contract";
import { NotApplicable } from "../case/case-run.ts";
import type { ConformanceCase } from "../case/case.ts";
import { answersTo, keepsRules, needsOf, type ScriptedService } from "./scripted-service.ts";
import { asRequest, filledMessage, isRequiredField } from "./filled-message.ts";

/** Fields that lead from a request to a required one, the required one last. */
type FieldPath = readonly [DescField, ...DescField[]];

function isRequiredAlone(field: DescField): boolean {
  return field.oneof === undefined && isRequiredField(field);
}

/** The required fields of a request and of the messages in its fields, apart from those in the URL, which are always sent. */
function requiredIn({ input, bindings }: Operation): readonly FieldPath[] {
  const inPath = new Set(bindings.flatMap(({ path }) => path.variables.map(({ fieldPath }) => fieldPath[0])));
  const free = input.fields.filter(({ name }) => !inPath.has(name));
  const inside = free.flatMap((field): readonly FieldPath[] => {
    if (field.fieldKind !== "message" || field.oneof !== undefined) return [];
    return field.message.fields.filter(isRequiredAlone).map((inner) => [field, inner]);
  });
  return [...free.filter(isRequiredAlone).map((field): FieldPath => [field]), ...inside];
}

function pathText(path: FieldPath): string {
  return path.map(({ name }) => name).join(".");
}

/** A copy of the request without this field. Undefined if the field is not set in it. */
function without(input: DescMessage, request: Message, path: FieldPath): Message | undefined {
  const copy = clone(input, request);
  let message: ReflectMessage = reflect(input, copy);
  for (const [at, field] of path.entries()) {
    if (!message.isSet(field)) return undefined;
    if (at === path.length - 1) message.clear(field);
    else if (field.fieldKind === "message") message = message.get(field);
  }
  return copy;
}

/** A request with all fields that follows the contract's rules; undefined if none of those tried does. */
function validRequest(contract: Contract, operation: Operation): Message | undefined {
  const { input } = operation;
  const attempts = [1, 2, 3].flatMap((depth) =>
    (["first", "last"] as const).map((choice) => ({ depth, choice, extensions: new Map() })),
  );
  for (const filling of attempts) {
    const request = asRequest(operation, filledMessage(input, filling));
    if (keepsRules(contract, operation, request)) return request;
  }
  return undefined;
}

interface Called {
  readonly scripted: ScriptedService;
  readonly client: Client;
  readonly operation: Operation;
}

/** Why the request was not refused as it should be; undefined if it was. */
async function faultOf({ scripted, client, operation }: Called, request: Message): Promise<string | undefined> {
  const answer = create(operation.output);
  const expected = scripted.expectChecked(operation, answer);
  try {
    await answersTo(client, operation, request);
    return "the request was accepted";
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown;
    const { strayed } = expected;
    if (strayed !== undefined)
      throw new NotApplicable(`${strayed.id} has the same route and received the call`, { cause: thrown });
    // The client sends no request with a field that a URL has no form for.
    if (thrown.message.endsWith(": cannot travel in a URL")) throw new NotApplicable(thrown.message, { cause: thrown });
    return thrown.code === "INVALID_ARGUMENT" ? undefined : `${thrown.code}: ${thrown.message}`;
  }
}

/** The case of one operation; none if its requests have no required field. @param number of the operation in the contract */
export function requiredCases(
  scripted: ScriptedService,
  operation: Operation,
  number: string,
): readonly ConformanceCase[] {
  const { contract } = scripted.service;
  const paths = requiredIn(operation);
  if (paths.length === 0) return [];
  return [
    {
      id: `RQ-${number}`,
      level: "MUST",
      area: "contract",
      title: `${operation.id}: a request without a required field is INVALID_ARGUMENT`,
      needs: needsOf(operation),
      async run({ client }) {
        const request = validRequest(contract, operation);
        if (request === undefined)
          throw new NotApplicable("no request is known that follows the contract's other rules");
        for (const path of paths) {
          const lacking = without(operation.input, request, path);
          // A field that may be missing, such as one of a resource that is changed in part, is not judged.
          if (lacking === undefined || keepsRules(contract, operation, lacking)) continue;
          // oxlint-disable-next-line no-await-in-loop -- one after the other: the service knows one call at a time
          const fault = await faultOf({ scripted, client, operation }, lacking);
          if (fault !== undefined) throw new Error(`without ${pathText(path)}: ${fault}`);
        }
      },
    },
  ];
}
