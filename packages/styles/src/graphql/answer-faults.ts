// Signs of a server fault in a GraphQL answer: those of HTTP.
export { httpAnswerFaults as answerFaults } from "../shared/http/http-answer-faults.ts";
