// Signs of a server's fault in REST's answers: those of HTTP.
export { httpAnswerFaults as answerFaults } from "../shared/http/http-answer-faults.ts";
