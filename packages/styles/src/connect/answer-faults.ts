// Signs of a server fault in Connect's answers: statuses of HTTP, and codes in errors and ends of streams.
import type { AnswerFaults } from "../basics/answer-faults.ts";
import { httpAnswerFaults } from "../shared/http/http-answer-faults.ts";

const codeFault = /"code":\s*"(?:internal|unknown|data_loss)"/;

export const answerFaults: AnswerFaults = {
  ...httpAnswerFaults,
  faultIn: (answer) => codeFault.exec(answer.toString("latin1"))?.[0] ?? httpAnswerFaults.faultIn(answer),
};
