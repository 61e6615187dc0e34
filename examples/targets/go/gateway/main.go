// Serves the contract by grpc-gateway with its defaults: REST in front of any gRPC server of the contract.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	// The types of error details, which the gateway writes in JSON.
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	gateway "example.com/roundtrip-target/gen/gateway/roundtrip/v1"
)

// How long an ending gateway waits for calls in flight.
const endGrace = 5 * time.Second

var services = []func(context.Context, *runtime.ServeMux, *grpc.ClientConn) error{
	gateway.RegisterHelloServiceHandler,
	gateway.RegisterCustomerServiceHandler,
	gateway.RegisterPayloadServiceHandler,
	gateway.RegisterMatrixServiceHandler,
}

func run(address string, port int) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	mux := runtime.NewServeMux()
	for _, register := range services {
		if err := register(ctx, mux, connection); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	fmt.Printf("rest      http://%s\nCtrl-C ends it; calls in flight are finished.\n", listener.Addr())
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), endGrace)
		defer cancel()
		_ = server.Shutdown(grace)
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func main() {
	address := flag.String("grpc", "127.0.0.1:8081", "host and port of a gRPC server of the contract")
	port := flag.Int("port", 0, "port on the loopback interface; 0 for a free one")
	flag.Parse()
	if err := run(*address, *port); err != nil {
		fmt.Fprintf(os.Stderr, "gateway: %v\n", err)
		os.Exit(1)
	}
}
