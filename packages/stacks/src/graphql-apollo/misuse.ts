// Bytes that no GraphQL client sends.
import type { MisuseRoom } from "@roundtrip/contract/conformance";
import { httpMisuses, httpRespelled, withText } from "../http/http-misuse.ts";
import { connect } from "./client.ts";

export const misuses: MisuseRoom = {
  protocol: "graphql",
  respelled: httpRespelled(connect),
  // The first name in the operation's braces is the field that it asks for.
  exchanges: httpMisuses(connect, (request) => withText(request, (text) => text.replace(/\{ \w+/, "{ nonsense"))),
};
