"""grpcio, with modules by grpcio-tools and details by grpcio-status."""
import os

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from booking.v1 import catalog_pb2, catalog_pb2_grpc, concierge_pb2, concierge_pb2_grpc
from booking.v1 import reservation_pb2, reservation_pb2_grpc
from report import address, client, raised, report, reservation

channel = grpc.insecure_channel(os.environ["GRPC"].removeprefix("http://"))
catalog = catalog_pb2_grpc.CatalogServiceStub(channel)


def hotel(name):
    return catalog_pb2.CreateHotelRequest(hotel={"display_name": name, "address": address})


def connects():
    made = catalog.CreateHotel(hotel(f"Client {client}"))
    assert catalog.GetHotel(catalog_pb2.GetHotelRequest(name=made.name)).display_name == made.display_name
    print("created", made.name)


def typed():
    rooms = catalog.ListRooms(catalog_pb2.ListRoomsRequest(parent="hotels/hotel-1")).rooms
    assert rooms and all(catalog_pb2.RoomKind.Name(room.kind) != "ROOM_KIND_UNSPECIFIED" for room in rooms)


def detail(call, request, kind):
    thrown = raised(grpc.RpcError, call, request)
    for packed in rpc_status.from_call(thrown).details:
        unpacked = kind()
        if packed.Unpack(unpacked):
            return thrown.code(), unpacked
    raise AssertionError("no detail")


def errors():
    code, info = detail(catalog.GetHotel, catalog_pb2.GetHotelRequest(name="hotels/none"), error_details_pb2.ErrorInfo)
    assert (code, info.reason) == (grpc.StatusCode.NOT_FOUND, "HOTEL_NOT_FOUND"), info
    _, bad = detail(catalog.CreateHotel, hotel(""), error_details_pb2.BadRequest)
    assert bad.field_violations[0].field == "hotel.display_name", bad


def streams():
    watch = reservation_pb2_grpc.ReservationServiceStub(channel).WatchReservation
    event = next(watch(reservation_pb2.WatchReservationRequest(name=reservation)))
    assert event.HasField("event_time"), event
    concierge = concierge_pb2_grpc.ConciergeServiceStub(channel)
    concierge.UploadScan(iter([concierge_pb2.ScanChunk(data=b"abc")]))
    assert next(concierge.Chat(iter([concierge_pb2.ChatMessage(text="hi")])))


report(connects=connects, typed=typed, errors=errors, streams=streams)
