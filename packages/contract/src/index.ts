// The public API of the contract package.
export type { ExampleOf } from "./calls/example-of.ts";
export { answerNames, isAnswer, readAnswerLike } from "./descriptors/answer-messages.ts";
export { checkWholeRequest, requestFromBinary, requestToBinary, responseFromBinary } from "./calls/binary-messages.ts";
export type { CallContext } from "./calls/server-call.ts";
export {
  CallError,
  ClientSideError,
  onInternalError,
  type ErrorDetails,
  type FieldViolation,
  type InternalError,
} from "./basics/call-error.ts";
export {
  canonicalCodes,
  codeFromGrpc,
  codeFromHttp,
  isCanonicalCode,
  type CanonicalCode,
} from "./basics/canonical-code.ts";
export type { CallOptions, Client, Invoke, InvokeStream, InvokeTogether, Requests } from "./calls/client.ts";
export { commentAbove } from "./descriptors/source-position.ts";
export { componentsOf } from "./descriptors/components.ts";
export { ConnectionCut } from "./calls/ended-call.ts";
export type { Contract, Operation, OperationKind, SideEffects } from "./descriptors/contract.ts";
export { conversion, type Conversion } from "./descriptors/conversion.ts";
export { contractOfServices } from "./descriptors/load-contract.ts";
export { callerCancelled, clientClosed, deadlineExceeded, endlessMs } from "./calls/ended-call.ts";
export { endingWithCall } from "./calls/ending-with-call.ts";
export { fieldPaths, type FieldPaths } from "./descriptors/field-paths.ts";
export {
  defaultPath,
  hasOwnJson,
  httpBindings,
  ignoredBindings,
  isBeyondUrls,
  isHttpBody,
  isOneJsonValue,
  routeKey,
  type HttpBinding,
} from "./descriptors/http-binding.ts";
export { incompressibleBytes } from "./basics/incompressible-bytes.ts";
export { inTime, TooSlow } from "./basics/in-time.ts";
export { sharesJsonName } from "./descriptors/json-names.ts";
export { builtInContract, builtInImage, contractFromImage } from "./descriptors/load-contract.ts";
export {
  binaryMetadata,
  checkMetadata,
  detachedMetadata,
  detachKey,
  isReservedMetadata,
  type KeptMetadata,
  maxMetadataBytes,
  metadataFault,
  ownMetadata,
  type Metadata,
} from "./calls/metadata.ts";
export { isObject, jsonIn } from "./basics/is-object.ts";
export { methodNames } from "./calls/method-names.ts";
export { countedAnswers, mapped, noAnswer, only, onlyAnswer, onlyRequest, severalAnswers } from "./calls/only-one.ts";
export type { PathTemplate, PathVariable, PathSegment } from "./descriptors/path-template.ts";
export { ServerCall } from "./calls/server-call.ts";
export {
  handlersOf,
  type Handler,
  type Handlers,
  type Interceptor,
  type Methods,
  type Service,
  type StreamHandler,
} from "./calls/service.ts";
export {
  settingFault,
  withDefaults,
  type PlainSetting,
  type Settings,
  type SettingsOf,
  type SettingValue,
} from "./basics/settings.ts";
export type { ContractElement } from "./descriptors/source-position.ts";
export { typedClient, type TypedClient } from "./calls/typed-client.ts";
export { untilEnded } from "./calls/until-ended.ts";
export { checkWholeText } from "./calls/binary-messages.ts";
export { stoppable, withMetadata } from "./calls/client.ts";
export { withoutComments } from "./descriptors/without-comments.ts";
