// `STYLE=URL` or `STACK=URL`: a running server, as the user types it.
import { InvalidArgumentError } from "commander";

export interface TypedTarget {
  /** Of a stack, or of a style. */
  readonly name: string;
  readonly url: string;
}

function targetOf(text: string): TypedTarget {
  const at = text.indexOf("=");
  const [name, url] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !/^https?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new InvalidArgumentError("it must be STYLE=URL or STACK=URL, for example grpc=http://127.0.0.1:50051");
  }
  return { name, url };
}

/** One or several, separated by commas. */
export function targetsOf(value: string, before: readonly TypedTarget[] | undefined): readonly TypedTarget[] {
  return [...(before ?? []), ...value.split(",").map(targetOf)];
}
