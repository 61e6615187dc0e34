// The matrix service: powers by repeated multiplication, a fixed number at once, first come, first served.
package main

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "example.com/roundtrip-target/gen/roundtrip/v1"
)

const (
	maxWaitingPowers = 1_000_000
	matrixDomain     = "matrix.roundtrip.dev"
)

type matrixService struct {
	// Has an element for each running computation. Blocked senders proceed in order.
	running chan struct{}
	waiting atomic.Int64
}

func newMatrixService(threads int) *matrixService {
	return &matrixService{running: make(chan struct{}, threads)}
}

func (s *matrixService) Power(ctx context.Context, request *v1.PowerRequest) (*v1.PowerResponse, error) {
	arrived := time.Now()
	matrix := request.Matrix
	size, elements := int(matrix.Size), matrix.Elements
	if len(elements) != size*size {
		why := fmt.Sprintf("must be square: %d rows and columns have %d elements, not %d", size, size*size, len(elements))
		return nil, invalid(&errdetails.BadRequest_FieldViolation{Field: "matrix.elements", Description: why, Reason: "matrix.square"})
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	started := time.Now()
	power, err := raiseToPower(ctx, size, elements, int(request.Exponent))
	ended := time.Now()
	<-s.running
	if err != nil {
		return nil, err
	}
	return &v1.PowerResponse{
		Power:       &v1.Matrix{Size: matrix.Size, Elements: power},
		QueueTime:   durationpb.New(started.Sub(arrived)),
		ServiceTime: durationpb.New(ended.Sub(started)),
		CacheStatus: v1.CacheStatus_CACHE_STATUS_BYPASS,
	}, nil
}

func (s *matrixService) begin(ctx context.Context) error {
	defer s.waiting.Add(-1)
	if s.waiting.Add(1) > maxWaitingPowers {
		metadata := map[string]string{"queueLimit": strconv.Itoa(maxWaitingPowers)}
		info := &errdetails.ErrorInfo{Reason: "QUEUE_FULL", Domain: matrixDomain, Metadata: metadata}
		return failure(codes.ResourceExhausted, "too many requests are waiting already", info)
	}
	select {
	case s.running <- struct{}{}:
		return nil
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
}

// Makes exponent - 1 multiplications, and stops between two of them when nobody waits any more.
func raiseToPower(ctx context.Context, size int, base []float64, exponent int) ([]float64, error) {
	if exponent == 0 {
		identity := make([]float64, size*size)
		for i := range size {
			identity[i*size+i] = 1
		}
		return identity, nil
	}
	power, product, spare := base, make([]float64, size*size), make([]float64, size*size)
	for factors := 1; factors < exponent; factors++ {
		if err := ctx.Err(); err != nil {
			return nil, status.FromContextError(err).Err()
		}
		multiply(size, power, base, product)
		power, product, spare = product, spare, product
	}
	return power, nil
}

func multiply(size int, left, right, product []float64) {
	clear(product)
	for row := range size {
		sums := product[row*size : (row+1)*size]
		for inner := range size {
			factor := left[row*size+inner]
			// Zeros are not skipped, so the time does not depend on the elements.
			for column, value := range right[inner*size : (inner+1)*size] {
				// The conversion rounds the product, so that no processor fuses it with the sum: the result is that of JavaScript to the last bit.
				sums[column] += float64(factor * value)
			}
		}
	}
}
