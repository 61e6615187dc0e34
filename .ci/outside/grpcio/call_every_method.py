"""Calls a gRPC server with gRPC's own library for Python, which knows of the contract only what the server's reflection tells.

Takes HOST:PORT. Prints one JSON object a line for each check: id, about, ok, and what was said when it is not ok. Ends with 0
whenever it ran to its end, whatever the checks found.
"""

import json
import sys
import threading
from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf import descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-not-found]
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
