// Connect, gRPC and gRPC-Web by connect-go, over HTTP/1.1 and HTTP/2 on one port.
package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpchealth"
	"connectrpc.com/grpcreflect"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	v1 "example.com/roundtrip-target/gen/roundtrip/v1"
	"example.com/roundtrip-target/gen/roundtrip/v1/roundtripv1connect"
)

// Smaller answers are not compressed: gzip costs more than it saves.
const minCompressedBytes = 1_024

func serveConnect(all *services) server {
	shared := connect.WithHandlerOptions(
		connect.WithInterceptors(connectInterceptor{}),
		connect.WithReadMaxBytes(maxRequestBytes),
		connect.WithCompressMinBytes(minCompressedBytes),
	)
	mux := http.NewServeMux()
	mux.Handle(roundtripv1connect.NewHelloServiceHandler(all.hello, shared))
	mux.Handle(roundtripv1connect.NewCustomerServiceHandler(all.customers, shared))
	mux.Handle(roundtripv1connect.NewPayloadServiceHandler(connectPayload{all.payload}, shared))
	mux.Handle(roundtripv1connect.NewMatrixServiceHandler(all.matrix, shared))
	var names []string
	for _, service := range all.described() {
		names = append(names, service.desc.ServiceName)
	}
	mux.Handle(grpchealth.NewHandler(grpchealth.NewStaticChecker(names...)))
	reflector := grpcreflect.NewStaticReflector(append(names, grpchealth.HealthV1ServiceName)...)
	mux.Handle(grpcreflect.NewHandlerV1(reflector))
	mux.Handle(grpcreflect.NewHandlerV1Alpha(reflector)) // Older clients know only this one.
	return newHTTPServer(mux)
}

// The payload service with the streams of connect-go.
type connectPayload struct{ *payloadService }

func (connectPayload) Download(_ context.Context, request *v1.DownloadRequest, stream *connect.ServerStream[v1.DownloadResponse]) error {
	return download(request, stream.Send)
}

func (connectPayload) Upload(_ context.Context, stream *connect.ClientStream[v1.UploadRequest]) (*v1.UploadResponse, error) {
	return upload(func() (*v1.UploadRequest, error) {
		if stream.Receive() {
			return stream.Msg(), nil
		}
		if err := stream.Err(); err != nil {
			return nil, err
		}
		return nil, io.EOF
	})
}

// Checks requests, and translates errors of the services.
type connectInterceptor struct{}

func (connectInterceptor) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
		if err := validate(request.Any()); err != nil {
			return nil, connectError(err)
		}
		response, err := next(ctx, request)
		return response, connectError(err)
	}
}

func (connectInterceptor) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

func (connectInterceptor) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		return connectError(next(ctx, checkedConn{conn}))
	}
}

type checkedConn struct{ connect.StreamingHandlerConn }

func (c checkedConn) Receive(request any) error {
	if err := c.StreamingHandlerConn.Receive(request); err != nil {
		return err
	}
	return connectError(validate(request))
}

func connectError(err error) error {
	failed, isStatus := status.FromError(err)
	if err == nil || !isStatus || errors.As(err, new(*connect.Error)) {
		return err
	}
	translated := connect.NewError(connect.Code(failed.Code()), errors.New(failed.Message()))
	for _, value := range failed.Details() {
		message, ok := value.(proto.Message)
		if !ok {
			continue
		}
		if detail, err := connect.NewErrorDetail(message); err == nil {
			translated.AddDetail(detail)
		}
	}
	return translated
}

type httpServer struct{ *http.Server }

// A server of HTTP/1.1 and of HTTP/2 without TLS, with limits on what a client may cost.
func newHTTPServer(handler http.Handler) httpServer {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	return httpServer{&http.Server{
		Handler:           handler,
		Protocols:         protocols,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       exchangeTimeout,
		WriteTimeout:      exchangeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          maxCallsPerConnection,
			MaxReceiveBufferPerConnection: windowBytes,
			MaxReceiveBufferPerStream:     windowBytes,
		},
	}}
}

func (s httpServer) Serve(listener net.Listener) error {
	return s.Server.Serve(listener)
}

func (s httpServer) End(ctx context.Context) {
	if s.Shutdown(ctx) != nil {
		_ = s.Close() // Everything that is left is cut off.
	}
}
