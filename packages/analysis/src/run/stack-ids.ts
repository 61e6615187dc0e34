// Ids of stacks, for grouping, joining and colouring. Display names may repeat, ids do not.

/** A stack and its parts. Ids of servers and clients are unique within their style, those of stacks everywhere. */
export interface StackIds {
  /** `rest`, `graphql`, `grpc`, …; `floor` for the lower bound. */
  readonly style: string;
  /** The server library: `express`. */
  readonly server: string;
  /** The client library: `undici`. */
  readonly client: string;
  /** Server and client: `rest-express`. */
  readonly stack: string;
}

export interface StackAsSet extends StackIds {
  readonly title: string;
  /** The title without settings. */
  readonly stackTitle: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

/** The ids of a stack known only by its name, such as one of imported samples. */
export function idsFromName(name: string): StackIds {
  return { style: name, server: name, client: name, stack: name };
}
