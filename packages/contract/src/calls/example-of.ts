// Example requests, which pages of servers show.
import type { Message } from "@bufbuild/protobuf";
import type { Operation } from "../descriptors/contract.ts";

/** Makes a request that the service answers, for an operation of its contract; undefined if it knows none. */
export type ExampleOf = (operation: Operation) => Message | undefined;
