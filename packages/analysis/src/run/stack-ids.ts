// Which stack something is of, by ids: what is grouped, joined and coloured by. Names for people may be alike, ids are not.

/** A stack and what it is made of. Ids of servers and clients are unique within their style, those of stacks everywhere. */
export interface StackIds {
  /** `rest`, `graphql`, `grpc`, …; `floor` for what they are held against. */
  readonly style: string;
  /** The library that serves: `express`. */
  readonly server: string;
  /** The library that calls: `undici`. */
  readonly client: string;
  /** The server with the client: `rest-express`. */
  readonly stack: string;
}

/** A stack as it is set, with its name for people. */
export interface StackAsSet extends StackIds {
  readonly title: string;
  /** The same without what is set on it. */
  readonly stackTitle: string;
  /** What is set on it; empty where nothing is. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

/** The ids of a stack of which nothing is known but its name, such as one whose samples another tool took: that is all of them. */
export function namedAlone(name: string): StackIds {
  return { style: name, server: name, client: name, stack: name };
}
