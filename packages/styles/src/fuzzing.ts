// What fuzzers of servers use of the styles: valid calls to corrupt, and how styles carry values.
export { noAnswer, rawAnswer, type MisuseAttempt, type MisuseTarget } from "./basics/misuse.ts";
export { binaryClient } from "./connect/misuse.ts";
export { graphqlClient } from "./graphql/client/graphql-client.ts";
export { asksForAllOf } from "./graphql/documents/asked-depth.ts";
export { corrupted as grpcCorrupted } from "./grpc/misuse.ts";
export { framed } from "./grpc/wire-form.ts";
export { jsonRpcClient } from "./json-rpc/calling/json-rpc-client.ts";
export { answerHttpBody, headerText, httpBodyIn, requestHttpBody, type HttpBodyPlace } from "./rest/http-body.ts";
export { opaqueMessages, queryFields, textMessages } from "./rest/requests/url-field.ts";
export { answerOctets, requestOctets } from "./rest/streams/octets.ts";
export { corrupted, withBody } from "./shared/http/http-misuse.ts";
export { soapClient } from "./soap/calling/soap-client.ts";
export { isXmlText } from "./soap/xml/xml-text.ts";
