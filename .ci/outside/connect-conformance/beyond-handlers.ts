// Deviations of every server from Connect's conformance cases, because a handler here cannot do what they ask for.
import type { Allowance } from "../suite.ts";

const occurs = "in every run";

export const beyondHandlers: readonly Allowance[] = [
  {
    id: '* actual response trailers missing "x-custom-trailer"',
    reason: "handlers set metadata before an answer, which every style can carry; there are no trailers beside it",
    occurs,
    stacks: "all",
  },
  {
    id: "* actual error contain 0 details; expecting *",
    reason: "an error has a reason, metadata and violations on every style, and no details of other types",
    occurs,
    stacks: "all",
  },
  {
    id: "* server did not echo back a timeout but one was expected *",
    reason: "handlers get a signal that is aborted at the deadline, and cannot read the deadline",
    occurs,
    stacks: "all",
  },
  {
    id: '* actual response headers missing "x-custom-header"',
    reason: "a stream that fails before its first answer has its metadata with the error, where it counts as trailers",
    occurs,
    stacks: "all",
  },
];
