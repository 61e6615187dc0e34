// Bytes that no REST client sends.
import type { MisuseRoom } from "@roundtrip/contract/conformance";
import { httpMisuses, httpRespelled } from "../http/http-misuse.ts";
import { connect } from "./client.ts";

export const misuses: MisuseRoom = {
  protocol: "rest",
  respelled: httpRespelled(connect),
  exchanges: httpMisuses(connect, ({ path }) => ({ path: `${path}/nonsense` })),
};
