// What shows in an answer of REST that its server did wrong: what shows it over HTTP.
export { httpAnswerFaults as answerFaults } from "../shared/http/http-answer-faults.ts";
