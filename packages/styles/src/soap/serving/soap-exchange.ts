// One request of an operation, until its answer.
import type { Message } from "@bufbuild/protobuf";
import { CallError, ConnectionCut, type ServerCall, type Service } from "@roundtrip/contract";
import type { SaxesTagNS } from "saxes";
import { droppedAnswer, type HttpAnswer, type WholeAnswer } from "../../shared/http/http-answer.ts";
import type { ReceivedRequest, ServedExchange } from "../../shared/http/http-service.ts";
import { metadataHeaders, textAnswer } from "../../shared/http/text-answer.ts";
import { incomingCall } from "../../shared/http/incoming-call.ts";
import { unsupportedFeature } from "../../shared/unsupported-feature.ts";
import { streamWords } from "../../shared/streams.ts";
import { readEnvelope } from "../envelope/read-envelope.ts";
import { SoapFaultError } from "../envelope/soap-fault.ts";
import { envelopeText, type SoapDialect } from "../envelope/soap-version.ts";
import { limitations } from "../limitations.ts";
import { messageFrame } from "../values/message-reader.ts";
import { badXml } from "../xml/element-error.ts";
import type { Frame } from "../xml/read-xml.ts";
import type { SoapOperation, SoapOperations } from "./operations.ts";
import { otherAction } from "./request-head.ts";
import { faultAnswer } from "./soap-answer.ts";

export interface SoapServer {
  readonly service: Service;
  readonly operations: SoapOperations;
}

/** Every measured call makes one, so it keeps references instead of copies. */
export class SoapExchange implements ServedExchange {
  readonly takes = "body";
  readonly #server: SoapServer;
  readonly #request: ReceivedRequest;
  readonly #dialect: SoapDialect;
  readonly #call: ServerCall;
  /** Known once the body is read. */
  #called: SoapOperation | undefined;

  /** Throws INVALID_ARGUMENT for an invalid deadline. */
  constructor(server: SoapServer, request: ReceivedRequest, dialect: SoapDialect) {
    this.#server = server;
    this.#request = request;
    this.#dialect = dialect;
    this.#call = incomingCall(request);
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  answer(body: Uint8Array | undefined): WholeAnswer | Promise<HttpAnswer> {
    try {
      this.#call.throwIfEnded();
      if (body === undefined) throw badXml("the body is empty, not a SOAP envelope");
      const message = readEnvelope(body, this) as Message;
      const { operation } = this.#called as SoapOperation;
      const given = this.#server.service.call(operation, message, this.#call);
      return given instanceof Promise ? this.#later(given) : this.#whole(given);
    } catch (thrown) {
      return this.refuse(thrown);
    }
  }

  // oxlint-disable-next-line require-await -- bodies are read whole
  async answerPieces(): Promise<HttpAnswer> {
    return this.refuse(new CallError("UNIMPLEMENTED", "SOAP reads whole bodies"));
  }

  refuse(thrown: unknown): WholeAnswer {
    this.#call.finish();
    return thrown instanceof ConnectionCut ? this.#cut(thrown) : faultAnswer(thrown, this.#dialect, this.#call);
  }

  cancel(): void {
    this.#call.cancel();
  }

  /** The element of the body names the operation. SOAPAction may repeat it, but not name another. */
  openBody({ uri, local }: SaxesTagNS): Frame {
    const called = this.#server.operations.get(uri)?.get(local);
    if (called === undefined) {
      throw new CallError(
        "UNIMPLEMENTED",
        `no operation has the element ${local} of ${uri === "" ? "no namespace" : uri}`,
      );
    }
    const other = otherAction(this.#request.headers, this.#dialect, called);
    if (other !== undefined) throw badXml(`the action ${other} does not belong to ${local}`);
    const stream = streamWords[called.operation.kind];
    if (stream !== undefined) throw unsupportedFeature(limitations, stream.feature);
    this.#called = called;
    return messageFrame(called.operation.input, "refused");
  }

  checkVersion({ version }: SoapDialect): void {
    const { version: declared, mediaType } = this.#dialect;
    if (version === declared) return;
    throw new SoapFaultError(
      "VersionMismatch",
      "INVALID_ARGUMENT",
      `the envelope is SOAP ${version}, and ${mediaType} is SOAP ${declared}`,
    );
  }

  #whole(message: Message): WholeAnswer {
    this.#call.finish();
    const text = this.#textOf(message);
    return textAnswer(200, this.#dialect.contentType, text, metadataHeaders(this.#call));
  }

  #textOf(message: Message): string {
    const { begin, end, write } = this.#called as SoapOperation;
    const envelope = envelopeText(this.#dialect);
    return `${envelope.begin}${begin}${write(message, 1)}${end}${envelope.end}`;
  }

  async #later(answered: Promise<Message>): Promise<HttpAnswer> {
    try {
      return this.#whole(await answered);
    } catch (thrown) {
      return this.refuse(thrown);
    }
  }

  /** An answer that closes the connection, before the answer or in its middle. */
  #cut({ partOf }: ConnectionCut): WholeAnswer {
    if (partOf === undefined) return droppedAnswer;
    try {
      return { ...this.#whole(partOf), cut: "inside" };
    } catch {
      // An answer that cannot be written is not sent in part either.
      return droppedAnswer;
    }
  }
}
