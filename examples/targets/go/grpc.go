// gRPC by grpc-go.
package main

import (
	"context"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/encoding/gzip" // Requests may be compressed.
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
)

type grpcServer struct {
	*grpc.Server
	health *health.Server
}

func serveGRPC(all *services) server {
	one := grpc.NewServer(
		grpc.MaxRecvMsgSize(maxRequestBytes),
		grpc.MaxConcurrentStreams(maxCallsPerConnection),
		grpc.MaxHeaderListSize(maxHeaderBytes),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: idleTimeout}),
		grpc.InitialWindowSize(windowBytes),
		grpc.InitialConnWindowSize(windowBytes),
		grpc.UnaryInterceptor(validated),
		grpc.StreamInterceptor(validatedStream),
	)
	checks := health.NewServer()
	for _, service := range all.described() {
		one.RegisterService(service.desc, service.impl)
		checks.SetServingStatus(service.desc.ServiceName, healthv1.HealthCheckResponse_SERVING)
	}
	healthv1.RegisterHealthServer(one, checks)
	reflection.Register(one)
	return grpcServer{one, checks}
}

func (s grpcServer) End(ctx context.Context) {
	s.health.Shutdown()
	cut := context.AfterFunc(ctx, s.Stop)
	s.GracefulStop()
	cut()
}

func validated(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	if err := validate(request); err != nil {
		return nil, err
	}
	return handle(ctx, request)
}

func validatedStream(impl any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	return handle(impl, checkedStream{stream})
}

// A stream whose requests are checked when they arrive.
type checkedStream struct{ grpc.ServerStream }

func (s checkedStream) RecvMsg(request any) error {
	if err := s.ServerStream.RecvMsg(request); err != nil {
		return err
	}
	return validate(request)
}
