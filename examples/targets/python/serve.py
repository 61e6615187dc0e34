"""Serves hello and the customers of Roundtrip's contract over REST and gRPC, with the data and answers of `roundtrip serve`."""

import argparse
import asyncio
import contextlib
import signal
import socket
import types
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import grpc
import uvicorn
import uvloop
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status
from roundtrip.v1 import customer_pb2_grpc, hello_pb2_grpc

from rest import MAX_REQUEST_BYTES, rest_app
from service import Failure, Method, methods

# How many seconds an ending server waits for calls in flight.
END_GRACE_S = 5
# The limits of Roundtrip's own servers.
GRPC_OPTIONS = [
    ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
    ("grpc.max_concurrent_streams", 1_000),
    ("grpc.max_metadata_size", 64 << 10),
    ("grpc.absolute_max_metadata_size", 64 << 10),
    # A port that another server has is an error.
    ("grpc.so_reuseport", 0),
]

# Ends a server: calls in flight are finished.
End = Callable[[], Awaitable[Any]]


class RestServer(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The program handles signals itself, since it has two servers."""
        yield


async def serve_rest(port: int, offered: list[Method]) -> tuple[int, End]:
    listener = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(rest_app(offered), lifespan="off", access_log=False, log_level="warning", timeout_keep_alive=300)
    server = RestServer(config)
    served = asyncio.create_task(server.serve(sockets=[listener]))

    async def end() -> None:
        server.should_exit = True
        await asyncio.wait([served], timeout=END_GRACE_S)

    return listener.getsockname()[1], end


def over_grpc(method: Method) -> Any:
    async def handler(request: Any, context: Any) -> Any:
        try:
            return method.call(request)
        except Failure as failure:
            await context.abort_with_status(rpc_status.to_status(failure.status))

    return handler


async def serve_grpc(port: int, offered: list[Method]) -> tuple[int, End]:
    server = grpc.aio.server(options=GRPC_OPTIONS)
    servicer = types.SimpleNamespace(**{method.descriptor.name: over_grpc(method) for method in offered})
    hello_pb2_grpc.add_HelloServiceServicer_to_server(servicer, server)
    customer_pb2_grpc.add_CustomerServiceServicer_to_server(servicer, server)
    names = {method.descriptor.containing_service.full_name for method in offered}
    checks = health.aio.HealthServicer()
    for name in names:
        await checks.set(name, health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    reflection.enable_server_reflection([*names, health.SERVICE_NAME, reflection.SERVICE_NAME], server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    return bound, lambda: server.stop(END_GRACE_S)


STYLES = {"rest": serve_rest, "grpc": serve_grpc}


async def serve(styles: list[str], port: int) -> None:
    ending = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    # The styles share one set of customers.
    offered = methods()
    ends = []
    for index, style in enumerate(styles):
        bound, end = await STYLES[style](port + index if port else 0, offered)
        print(f"{style:8}  http://127.0.0.1:{bound}", flush=True)
        ends.append(end)
    print("Ctrl-C ends it; calls in flight are finished.", flush=True)
    await ending.wait()
    await asyncio.gather(*(end() for end in ends))


def style_of(name: str) -> str:
    style = name.partition("-")[0]
    if style not in STYLES:
        raise argparse.ArgumentTypeError(f"unknown style {name!r}; known are {' and '.join(STYLES)}")
    return style


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python3 examples/targets/python", description=__doc__)
    parser.add_argument("styles", nargs="*", type=style_of, help="rest and grpc unless named; rest-express counts as rest")
    parser.add_argument("--port", type=int, default=0, help="port of the first style, the other follows; 0 for free ports")
    given = parser.parse_args()
    uvloop.run(serve(given.styles or list(STYLES), given.port))
