// Which REST stack the tests of REST run on: the default one, unless `REST_STACK` names another.
export const restStack = process.env["REST_STACK"] ?? "rest-express";
