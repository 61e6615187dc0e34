// The service of a measured server process without a real service: made-up answers without sessions or a log, so that the measured time is
// mostly the stack's.
import { fromBinary, toBinary, type DescMessage, type Message } from "@bufbuild/protobuf";
import {
  ServerCall,
  type Contract,
  type Handler,
  type Operation,
  type Service,
  type StreamHandler,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { generatedService } from "./generated/generated-service.ts";
import { fakeDefaults } from "./fake/fake.ts";

/** The same answers in every process and every run. */
export function measuredFake(contract: Contract): Service {
  return generatedService(contract, fakeDefaults.seed);
}

/** More than the different requests of a study. */
const keptAnswers = 1_000;

/** Converts between two versions of a type. Drops what the target type does not have. */
function converted(message: Message, from: DescMessage, to: DescMessage): Message {
  return fromBinary(to, toBinary(from, message), { readUnknownFields: false });
}

function unaryHandler(operation: Operation, newest: Service): Handler {
  const { input, output } = newest.contract.operation(operation.id);
  const known = new Map<string, Message>();
  const answerTo = async (key: string, request: Message): Promise<Message> => {
    const inputOfNewest = converted(request, operation.input, input);
    const made = await newest.call(newest.contract.operation(operation.id), inputOfNewest, new ServerCall());
    const answer = converted(made, output, operation.output);
    if (known.size >= keptAnswers) known.clear();
    known.set(key, answer);
    return answer;
  };
  return (request) => {
    const key = Buffer.from(toBinary(operation.input, request)).toString("latin1");
    return known.get(key) ?? answerTo(key, request);
  };
}

function streamHandler(operation: Operation, newest: Service): StreamHandler {
  const { input, output } = newest.contract.operation(operation.id);
  return async function* (requests) {
    const converting = (async function* (): AsyncIterable<Message> {
      for await (const request of requests) yield converted(request, operation.input, input);
    })();
    const call = new ServerCall();
    try {
      const answers = newest.stream(newest.contract.operation(operation.id), converting, call);
      for await (const answer of answers) yield converted(answer, output, operation.output);
    } finally {
      call.finish();
    }
  };
}

/**
 * The fake of one version of a contract, for comparing it with another. Answers are those of the newest version, without what this version lacks,
 * so that two versions differ in nothing else. It stores nothing: equal requests get the same answer.
 */
export function versionFake(contract: Contract, _settings: unknown, newest: Contract): Service {
  const known = new Set(newest.operations.map(({ id }) => id));
  const source = generatedService(newest, fakeDefaults.seed);
  const handlers = contract.operations
    .filter(({ id }) => known.has(id))
    .map((operation) => {
      const make = operation.kind === "unary" ? unaryHandler : streamHandler;
      return [operation.id, make(operation, source)] as const;
    });
  return serviceOf(contract, new Map<string, Handler | StreamHandler>(handlers));
}
