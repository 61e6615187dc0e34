// `STACK=URL`: a server that runs elsewhere, as it is typed.
import { InvalidArgumentError } from "commander";

export interface TypedTarget {
  readonly stack: string;
  readonly url: string;
}

function targetOf(text: string): TypedTarget {
  const at = text.indexOf("=");
  const [stack, url] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !/^https?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new InvalidArgumentError("it must be STACK=URL, for example grpc-js=http://127.0.0.1:50051");
  }
  return { stack, url };
}

/** One or several, separated by commas. */
export function targetsOf(value: string, before: readonly TypedTarget[] | undefined): readonly TypedTarget[] {
  return [...(before ?? []), ...value.split(",").map(targetOf)];
}
