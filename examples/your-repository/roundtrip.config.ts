// What Roundtrip's commands measure here, unless a flag says otherwise.
export default {
  contract: "proto",
  tasks: "tasks.yaml",
  stack: "grpc",
  build: "go build -o bin/server .",
  serve: "bin/server -port {port}",
};
