// grpc-go, with the code of protoc-gen-go and protoc-gen-go-grpc.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	pb "example.com/booking/gen/booking/v1"
	"example.com/booking/report"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

var ctx = context.Background()

func detail[T any](err error) (found T) {
	for _, each := range status.Convert(err).Details() {
		if is, ok := each.(T); ok {
			return is
		}
	}
	return
}

func main() {
	conn, err := grpc.NewClient(strings.TrimPrefix(os.Getenv("GRPC"), "http://"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	catalog := pb.NewCatalogServiceClient(conn)
	hotel := &pb.Hotel{DisplayName: "Client " + report.Client, Address: &pb.Address{City: "Bern", PostalCode: "3000", CountryCode: "CH"}}
	made, err := catalog.CreateHotel(ctx, &pb.CreateHotelRequest{Hotel: hotel})
	if err == nil {
		fmt.Println("created", made.Name)
		made, err = catalog.GetHotel(ctx, &pb.GetHotelRequest{Name: made.Name})
	}
	report.Say("connects", err, made.GetDisplayName() == hotel.DisplayName, made)
	rooms, err := catalog.ListRooms(ctx, &pb.ListRoomsRequest{Parent: "hotels/hotel-1"})
	report.Say("typed", err, len(rooms.GetRooms()) > 0 && rooms.Rooms[0].Kind != pb.RoomKind_ROOM_KIND_UNSPECIFIED, rooms)
	_, missing := catalog.GetHotel(ctx, &pb.GetHotelRequest{Name: "hotels/none"})
	_, invalid := catalog.CreateHotel(ctx, &pb.CreateHotelRequest{Hotel: &pb.Hotel{}})
	reason := detail[*errdetails.ErrorInfo](missing).GetReason()
	violations := detail[*errdetails.BadRequest](invalid).GetFieldViolations()
	holds := status.Code(missing) == codes.NotFound && reason == "HOTEL_NOT_FOUND" && len(violations) > 0 && strings.HasPrefix(violations[0].Field, "hotel.")
	report.Say("errors", nil, holds, fmt.Sprint(missing, invalid))
	watched, err := pb.NewReservationServiceClient(conn).WatchReservation(ctx, &pb.WatchReservationRequest{Name: report.Reservation})
	var event *pb.ReservationEvent
	if err == nil {
		event, err = watched.Recv()
	}
	if err == nil {
		var chat pb.ConciergeService_ChatClient
		if chat, err = pb.NewConciergeServiceClient(conn).Chat(ctx); err == nil {
			if err = chat.Send(&pb.ChatMessage{Text: "hi"}); err == nil {
				_, err = chat.Recv()
			}
		}
	}
	report.Say("streams", err, event.GetEventTime() != nil, event)
}
