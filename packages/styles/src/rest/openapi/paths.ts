// Converts path templates to OpenAPI paths, where a variable is one segment with a plain name.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { PathTemplate, PathVariable } from "@roundtrip/contract";
import { fieldsAlong } from "../requests/url-field.ts";
import { camel, singular } from "../../shared/json-schema/prose.ts";

export interface PathParameter {
  readonly name: string;
  /** The request field that it sets, or sets in part. */
  readonly field: DescField;
  readonly whole: boolean;
  /** Whether it may contain slashes, which OpenAPI cannot express. */
  readonly rest: boolean;
}

export interface OpenApiPath {
  /** For example `/v1/shelves/{shelfId}/books/{bookId}:publish`. */
  readonly text: string;
  readonly parameters: readonly PathParameter[];
}

function variableNames({ segments, variables }: PathTemplate): ReadonlyMap<number, string> {
  const nameOf = ({ fieldPath, start, end }: PathVariable, at: number, words: number): string => {
    const literal = segments[at - 1];
    const part = end - start > 1 && segments[at]?.kind === "one" && at > start && literal?.kind === "literal";
    // Not the name of the resource itself, which makers of clients give to its body.
    return part ? `${camel(singular(literal.text))}Id` : camel(...fieldPath.slice(-words));
  };
  const names = new Map<number, string>();
  for (const variable of variables) {
    for (let at = variable.start; at < variable.end; at += 1) {
      if (segments[at]?.kind === "literal") continue;
      // The last part of the name alone, unless another variable has it.
      let name = nameOf(variable, at, 1);
      if ([...names.values()].includes(name)) name = nameOf(variable, at, variable.fieldPath.length);
      if ([...names.values()].includes(name)) name = `${name}${at}`;
      names.set(at, name);
    }
  }
  return names;
}

/** Converts templates to OpenAPI paths. Paths that differ only in variable names are one OpenAPI path, with the names of the first. */
export class Paths {
  readonly #names = new Map<string, ReadonlyMap<number, string>>();

  of(input: DescMessage, template: PathTemplate): OpenApiPath {
    const { segments, variables, verb } = template;
    const end = verb === "" ? "" : `:${verb}`;
    const shape = segments.map((segment) => (segment.kind === "literal" ? segment.text : "*")).join("/") + end;
    const names = this.#names.get(shape) ?? variableNames(template);
    this.#names.set(shape, names);
    const texts = segments.map((segment, at) =>
      segment.kind === "literal" ? segment.text : `{${names.get(at) ?? `any${at}`}}`,
    );
    const parameters = variables.flatMap(({ fieldPath, start, end: stop }) => {
      const field = fieldsAlong(input, fieldPath)?.at(-1);
      if (field === undefined) return [];
      return segments.slice(start, stop).flatMap(({ kind }, index) => {
        if (kind === "literal") return [];
        const name = names.get(start + index) ?? `any${start + index}`;
        return [{ name, field, whole: stop - start === 1 && kind === "one", rest: kind === "many" }];
      });
    });
    return { text: `/${texts.join("/")}${end}`, parameters };
  }
}
