// The services of the contract. Each is written once; grpc.go, connect.go and rest.go serve the same values.
package main

import (
	"context"
	"fmt"
	"strings"

	"buf.build/go/protovalidate"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"

	v1 "example.com/roundtrip-target/gen/roundtrip/v1"
)

// The services with one set of customers for all styles.
type services struct {
	hello     helloService
	customers *customerService
	payload   *payloadService
	matrix    *matrixService
}

func newServices(threads int) *services {
	return &services{
		customers: &customerService{store: newStore()},
		payload:   &payloadService{},
		matrix:    newMatrixService(threads),
	}
}

// One service with its generated description, which says how to call each method.
type described struct {
	desc *grpc.ServiceDesc
	impl any
}

func (s *services) described() []described {
	return []described{
		{&v1.HelloService_ServiceDesc, s.hello},
		{&v1.CustomerService_ServiceDesc, s.customers},
		{&v1.PayloadService_ServiceDesc, s.payload},
		{&v1.MatrixService_ServiceDesc, s.matrix},
	}
}

type helloService struct{}

func (helloService) SayHello(_ context.Context, request *v1.SayHelloRequest) (*v1.SayHelloResponse, error) {
	return &v1.SayHelloResponse{Message: "Hello, " + request.Name + "!"}, nil
}

// Checks a request against the rules in the contract (buf.validate). All styles call it before a handler.
func validate(message any) error {
	request, ok := message.(proto.Message)
	if !ok {
		return nil
	}
	err := protovalidate.Validate(request)
	if err == nil {
		return nil
	}
	broken, ok := err.(*protovalidate.ValidationError)
	if !ok {
		return status.Error(codes.Internal, "internal error")
	}
	violations := make([]*errdetails.BadRequest_FieldViolation, 0, len(broken.Violations))
	for _, violation := range broken.Violations {
		violations = append(violations, &errdetails.BadRequest_FieldViolation{
			Field:       protovalidate.FieldPathString(violation.Proto.GetField()),
			Description: violation.Proto.GetMessage(),
			Reason:      violation.Proto.GetRuleId(),
		})
	}
	return invalid(violations...)
}

// The error for invalid fields. Its message is about the first.
func invalid(violations ...*errdetails.BadRequest_FieldViolation) error {
	message := fmt.Sprintf("%s: %s", violations[0].Field, violations[0].Description)
	if strings.HasPrefix(message, ": ") {
		message = violations[0].Description
	}
	if more := len(violations) - 1; more > 0 {
		message += fmt.Sprintf(" (and %d more)", more)
	}
	return withDetails(codes.InvalidArgument, message, &errdetails.BadRequest{FieldViolations: violations})
}

// An error with a reason that programs can read.
func failure(code codes.Code, message string, info *errdetails.ErrorInfo) error {
	return withDetails(code, message, info)
}

func withDetails(code codes.Code, message string, details protoadapt.MessageV1) error {
	detailed, err := status.New(code, message).WithDetails(details)
	if err != nil {
		return status.Error(codes.Internal, "internal error")
	}
	return detailed.Err()
}
