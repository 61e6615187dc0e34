// Customers in memory. They are those of packages/service/src/customer-store.ts.
package main

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	v1 "example.com/roundtrip-target/gen/roundtrip/v1"
)

const (
	seededCustomers = 1_000
	maxCustomers    = 100_000
	customerDomain  = "roundtrip.dev"
)

// A write replaces a customer and does not change it, so a customer that was read can be encoded without the lock.
type store struct {
	lock sync.RWMutex
	byID map[int32]*v1.Customer
	// Sorted ids; nil after one was added or removed.
	ascending []int32
}

func newStore() *store {
	seeded := &store{byID: make(map[int32]*v1.Customer, seededCustomers)}
	// Its attributes have the lengths of the study of 2010: 38, 58, 7, 17 and 14 characters.
	seeded.byID[1] = &v1.Customer{
		Id:                      1,
		Name:                    "Wilhelmina van der Bergh-Oosterhuizen.",
		Address:                 "Prins Hendrikkade 33-III, 1012 TM Amsterdam, Noord-Holland",
		VatIdentificationNumber: "NL12345",
		Mail:                    "wil@example.co.nl",
		PhoneNumber:             "+31 20 5550123",
	}
	for id := int32(2); id <= seededCustomers; id++ {
		seeded.byID[id] = &v1.Customer{
			Id:                      id,
			Name:                    fmt.Sprintf("Customer number %d", id),
			Address:                 fmt.Sprintf("%d High Street, Exampletown", id),
			VatIdentificationNumber: fmt.Sprintf("GB%05d", id),
			Mail:                    fmt.Sprintf("customer%d@example.com", id),
			PhoneNumber:             fmt.Sprintf("+44 20 %d", 7_000_000+id),
		}
	}
	return seeded
}

func notFound(id int32) error {
	return failure(codes.NotFound, fmt.Sprintf("there is no customer %d", id), customerInfo("CUSTOMER_NOT_FOUND", id))
}

func alreadyExists(id int32) error {
	return failure(codes.AlreadyExists, fmt.Sprintf("customer %d already exists", id), customerInfo("CUSTOMER_EXISTS", id))
}

func customerInfo(reason string, id int32) *errdetails.ErrorInfo {
	metadata := map[string]string{"id": strconv.Itoa(int(id))}
	return &errdetails.ErrorInfo{Reason: reason, Domain: customerDomain, Metadata: metadata}
}

func (s *store) get(id int32) (*v1.Customer, error) {
	s.lock.RLock()
	customer := s.byID[id]
	s.lock.RUnlock()
	if customer == nil {
		return nil, notFound(id)
	}
	return customer, nil
}

func (s *store) add(customer *v1.Customer) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.byID[customer.Id] != nil {
		return alreadyExists(customer.Id)
	}
	if len(s.byID) >= maxCustomers {
		return status.Errorf(codes.ResourceExhausted, "the store is full: it has the maximum of %d customers", maxCustomers)
	}
	s.byID[customer.Id] = customer
	s.ascending = nil
	return nil
}

// Replaces a customer by a changed copy, and returns it.
func (s *store) change(id int32, apply func(*v1.Customer)) (*v1.Customer, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	customer := s.byID[id]
	if customer == nil {
		return nil, notFound(id)
	}
	changed := proto.CloneOf(customer)
	apply(changed)
	s.byID[id] = changed
	return changed, nil
}

func (s *store) remove(id int32) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.byID[id] == nil {
		return notFound(id)
	}
	delete(s.byID, id)
	s.ascending = nil
	return nil
}

func (s *store) rename(id, newID int32) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	customer := s.byID[id]
	if customer == nil {
		return notFound(id)
	}
	if newID == id {
		return nil
	}
	if s.byID[newID] != nil {
		return alreadyExists(newID)
	}
	renamed := proto.CloneOf(customer)
	renamed.Id = newID
	delete(s.byID, id)
	s.byID[newID] = renamed
	s.ascending = nil
	return nil
}

// At most size customers with an id above after, by ascending id, and whether there are more.
func (s *store) page(after int64, size int) (customers []*v1.Customer, more bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.ascending == nil {
		s.ascending = make([]int32, 0, len(s.byID))
		for id := range s.byID {
			s.ascending = append(s.ascending, id)
		}
		slices.Sort(s.ascending)
	}
	first, _ := slices.BinarySearchFunc(s.ascending, after, func(id int32, after int64) int {
		if int64(id) > after {
			return 1
		}
		return -1
	})
	last := min(first+size, len(s.ascending))
	for _, id := range s.ascending[first:last] {
		customers = append(customers, s.byID[id])
	}
	return customers, last < len(s.ascending)
}
