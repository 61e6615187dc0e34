// Signs of a server's fault in a JSON-RPC answer: those of HTTP.
export { httpAnswerFaults as answerFaults } from "../shared/http/http-answer-faults.ts";
