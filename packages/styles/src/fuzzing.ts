// What fuzzers of servers use of the styles: valid calls to corrupt, and how styles carry values.
export { noAnswer, rawAnswer, type MisuseAttempt, type MisuseTarget } from "./basics/misuse.ts";
export { binaryClient } from "./connect/misuse.ts";
export { graphqlClient } from "./graphql/client.ts";
export { asksForAllOf } from "./graphql/documents/asked-depth.ts";
export { corrupted as grpcCorrupted } from "./grpc/misuse.ts";
export { framed } from "./grpc/wire.ts";
export { jsonRpcClient } from "./json-rpc/client.ts";
export { opaqueMessages, queryFields, textMessages } from "./rest/requests/url-field.ts";
export {
  answerHttpBody,
  answerOctets,
  headerText,
  httpBodyIn,
  requestHttpBody,
  requestOctets,
  type HttpBodyPlace,
} from "./rest/raw-bodies.ts";
export { corrupted, withBody } from "./shared/http/http-misuse.ts";
export { soapClient } from "./soap/client.ts";
export { isXmlText } from "./soap/xml.ts";
