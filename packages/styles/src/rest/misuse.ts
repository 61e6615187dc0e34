// Bytes that no REST client sends, and the answers to them.
import { rawAnswer, type ProtocolMisuse } from "../basics/misuse.ts";
import { httpMisuses } from "../shared/http/http-misuse.ts";
import { requestHttpBody } from "./raw-bodies.ts";
import { restClient } from "./client.ts";

export const misuses: ProtocolMisuse = {
  ...httpMisuses(restClient, {
    unknownMethod: ({ path }) => ({ path: `${path}/nonsense` }),
    answers: {
      unknownMethod: [rawAnswer(404, "UNIMPLEMENTED")],
      wrongVerb: [rawAnswer(405, "UNIMPLEMENTED")],
      emptyBody: [rawAnswer(200, "OK")],
    },
    refusals: [rawAnswer(400, "INVALID_ARGUMENT")],
  }),
  // Raw bytes cannot be malformed.
  readDocument: undefined,
  sendsBody: (operation) => {
    const [binding] = operation.bindings;
    return binding.body !== "" && requestHttpBody(operation, binding) === undefined;
  },
};
