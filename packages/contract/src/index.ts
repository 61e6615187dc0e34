// The public API of the contract package.
export {
  CallError,
  ClientSideError,
  type ErrorDetails,
  type FieldViolation,
  type InternalError,
  maxDetailsText,
  maxErrorText,
  onInternalError,
  shortText,
} from "./basics/call-error.ts";
export {
  type CanonicalCode,
  canonicalCodes,
  codeFromGrpc,
  codeFromHttp,
  isCanonicalCode,
} from "./basics/canonical-code.ts";
export {
  type PlainSetting,
  settingFault,
  type Settings,
  type SettingsOf,
  type SettingValue,
  valuesText,
  withDefaults,
} from "./basics/settings.ts";
export { incompressibleBytes, isObject, jsonIn } from "./basics/values.ts";
export {
  checkWholeRequest,
  checkWholeText,
  keepUnknownFields,
  requestDecoding,
  requestFromBinary,
  requestToBinary,
  responseFromBinary,
} from "./calls/binary-messages.ts";
export {
  callerCancelled,
  clientClosed,
  ConnectionCut,
  deadlineExceeded,
  endlessMs,
  inTime,
  TooSlow,
  untilEnded,
  firstHalf,
  firstHalfOf,
} from "./calls/call-end.ts";
export {
  type CallOptions,
  type Client,
  type Invoke,
  type InvokeLinked,
  type InvokeStream,
  type InvokeTogether,
  linkedClient,
  type LinkedClient,
  type Requests,
  stoppable,
  withMetadata,
} from "./calls/client.ts";
export { largeIntegers, maxDecodedBytes } from "./calls/decoded-size.ts";
export { listableCount, maxListedBytes, maxStoredBytes, requireListable, StoredMemory } from "./calls/stored-memory.ts";
export {
  bytesInMemory,
  heldBy,
  heldBytes,
  type HeldMemory,
  maxHeldBytes,
  maxHeldBytesPerConnection,
  memoryExhausted,
} from "./calls/held-memory.ts";
export { currentLoop, largeCompressedBytes, largeRequestBytes, nextTurn, ownTurn, sliceMs } from "./calls/turns.ts";
export {
  binaryMetadata,
  checkMetadata,
  detachedMetadata,
  detachKey,
  isReservedMetadata,
  type KeptMetadata,
  maxMetadataBytes,
  type Metadata,
  metadataFault,
  ownMetadata,
} from "./calls/metadata.ts";
export { type CallContext, clientAddress, ServerCall } from "./calls/server-call.ts";
export {
  countedAnswers,
  endingWithCall,
  type ExampleOf,
  type Handler,
  type Handlers,
  handlersOf,
  type Interceptor,
  mapped,
  methodNames,
  type Methods,
  noAnswer,
  only,
  onlyAnswer,
  onlyRequest,
  type Service,
  severalAnswers,
  type StreamHandler,
} from "./calls/service.ts";
export { conversion, type Conversion, typedClient, type TypedClient } from "./calls/typed-client.ts";
export { answerNames, isAnswer, readAnswerLike } from "./descriptors/answer-messages.ts";
export {
  codecFault,
  componentsOf,
  containsType,
  cyclesBy,
  extensionsIn,
  maxNesting,
  maxTypePath,
  memoize,
  typesIn,
  type Cycle,
} from "./descriptors/components.ts";
export {
  type Contract,
  isSameContract,
  type Operation,
  type OperationKind,
  type SideEffects,
  streamsRequests,
} from "./descriptors/contract.ts";
export { camelPath, fieldPaths, type FieldPaths, sharesJsonName, snakePath } from "./descriptors/field-names.ts";
export {
  methodPath,
  hasOwnJson,
  type HttpBinding,
  httpBindings,
  ignoredBindings,
  isBeyondUrls,
  isHttpBody,
  isOneJsonValue,
  routeKey,
} from "./descriptors/http-binding.ts";
export { builtInContract, builtInImage, contractFromImage, contractOfServices } from "./descriptors/load-contract.ts";
export {
  type PathSegment,
  type PathTemplate,
  type PathVariable,
  variablePattern,
} from "./descriptors/path-template.ts";
export {
  commentAbove,
  type ContractElement,
  hasSourceInfo,
  isDeprecated,
  withoutComments,
  withSourceInfo,
} from "./descriptors/source-info.ts";
