// The public API of the contract package.
export { answerNames, isAnswer, readAnswerLike } from "./answer-messages.ts";
export { requestFromBinary, requestToBinary, responseFromBinary } from "./binary-messages.ts";
export type { CallContext } from "./call-context.ts";
export { CallError, type ErrorDetails, type FieldViolation } from "./call-error.ts";
export { canonicalCodes, codeFromGrpc, codeFromHttp, isCanonicalCode, type CanonicalCode } from "./canonical-code.ts";
export type { CallOptions, Client, Invoke, InvokeStream, InvokeTogether } from "./client.ts";
export { commentAbove } from "./comments.ts";
export { componentsOf } from "./components.ts";
export { ConnectionCut } from "./connection-cut.ts";
export type { Contract, Operation, OperationKind, SideEffects } from "./contract.ts";
export { conversion, type Conversion } from "./conversion.ts";
export { contractOfServices } from "./contract-of-services.ts";
export { callerCancelled, clientClosed, deadlineExceeded, endlessMs } from "./ended-call.ts";
export { fieldPaths, type FieldPaths } from "./field-paths.ts";
export { httpBindings, oddBindings, routeKey, type HttpBinding } from "./http-binding.ts";
export { incompressibleBytes } from "./incompressible-bytes.ts";
export { inTime, TooSlow } from "./in-time.ts";
export { sharesJsonName } from "./json-names.ts";
export { builtInContract, builtInImage, contractFromImage } from "./load-contract.ts";
export {
  binaryMetadata,
  checkMetadata,
  isReservedMetadata,
  maxMetadataBytes,
  metadataFault,
  ownMetadata,
  type Metadata,
} from "./metadata.ts";
export { isObject } from "./is-object.ts";
export { isOneJsonValue } from "./one-json-value.ts";
export { only, onlyAnswer, onlyRequest } from "./only-one.ts";
export type { PathTemplate, PathVariable, PathSegment } from "./path-template.ts";
export { ServerCall } from "./server-call.ts";
export {
  handlersOf,
  type Handler,
  type Handlers,
  type Interceptor,
  type Methods,
  type Service,
  type StreamHandler,
} from "./service.ts";
export {
  settingFault,
  withDefaults,
  type PlainSetting,
  type Settings,
  type SettingsOf,
  type SettingValue,
} from "./settings.ts";
export type { ContractElement } from "./source-position.ts";
export { typedClient, type TypedClient } from "./typed-client.ts";
export { untilEnded } from "./until-ended.ts";
export { checkWholeText } from "./whole-text.ts";
export { withMetadata } from "./with-metadata.ts";
export { withoutComments } from "./without-comments.ts";
