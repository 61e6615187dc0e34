// Serves proto/inventory/v1 over gRPC.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	v1 "example.com/inventory/gen/inventory/v1"
)

const (
	items           = 200
	defaultPageSize = 20
	// How long the database takes to find an item.
	lookup = time.Millisecond
)

type inventory struct {
	v1.UnimplementedInventoryServer
	mutex    sync.Mutex
	reserved map[string]int32
}

func item(number int) *v1.Item {
	return &v1.Item{
		Sku:        fmt.Sprintf("sku-%03d", number),
		Name:       fmt.Sprintf("Part number %d", number),
		PriceCents: int64(100 + 7*number),
	}
}

func find(sku string) (*v1.Item, error) {
	time.Sleep(lookup)
	var number int
	if _, err := fmt.Sscanf(sku, "sku-%03d", &number); err != nil || number < 1 || number > items {
		return nil, status.Errorf(codes.NotFound, "there is no item %q", sku)
	}
	return item(number), nil
}

func (*inventory) GetItem(_ context.Context, request *v1.GetItemRequest) (*v1.Item, error) {
	return find(request.Sku)
}

func (*inventory) ListItems(_ context.Context, request *v1.ListItemsRequest) (*v1.ListItemsResponse, error) {
	size := int(request.PageSize)
	if size == 0 {
		size = defaultPageSize
	}
	if size < 0 || size > items {
		return nil, status.Errorf(codes.InvalidArgument, "page_size must be 0 to %d, got %d", items, size)
	}
	response := &v1.ListItemsResponse{}
	for number := 1; number <= size; number++ {
		response.Items = append(response.Items, item(number))
	}
	return response, nil
}

func (s *inventory) Reserve(_ context.Context, request *v1.ReserveRequest) (*v1.Reservation, error) {
	if _, err := find(request.Sku); err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.reserved[request.Sku] += request.Pieces
	return &v1.Reservation{Sku: request.Sku, Pieces: request.Pieces}, nil
}

func main() {
	port := flag.Int("port", 50051, "port on loopback")
	flag.Parse()
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	v1.RegisterInventoryServer(server, &inventory{reserved: map[string]int32{}})
	log.Printf("serving on %s", listener.Addr())
	log.Fatal(server.Serve(listener))
}
