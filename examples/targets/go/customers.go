// The customer service: five coarse calls, and a getter and a setter for each attribute.
package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	v1 "example.com/roundtrip-target/gen/roundtrip/v1"
)

const (
	defaultPageSize = 50
	maxPageSize     = 1_000
	tokenPrefix     = "after:"
)

type customerService struct{ store *store }

func pageTokenAfter(id int64) string {
	return base64.RawURLEncoding.EncodeToString([]byte(tokenPrefix + strconv.FormatInt(id, 10)))
}

// The id after which the page starts; 0 for the first page.
func idBefore(token string) (int64, error) {
	if token == "" {
		return 0, nil
	}
	text, _ := base64.RawURLEncoding.DecodeString(token)
	digits, _ := strings.CutPrefix(string(text), tokenPrefix)
	id, err := strconv.ParseInt(digits, 10, 64)
	// Another spelling of the same id is not a token either.
	if err != nil || id < 1 || pageTokenAfter(id) != token {
		const why = "not a token of this service"
		return 0, invalid(&errdetails.BadRequest_FieldViolation{Field: "page_token", Description: why, Reason: "page_token"})
	}
	return id, nil
}

// The fields that a mask names; "*" alone names all.
func maskedFields(mask *fieldmaskpb.FieldMask, maskName string) ([]protoreflect.FieldDescriptor, error) {
	customer := (*v1.Customer)(nil).ProtoReflect().Descriptor()
	all := slices.Equal(mask.Paths, []string{"*"})
	var fields []protoreflect.FieldDescriptor
	var unknown []*errdetails.BadRequest_FieldViolation
	for i := range customer.Fields().Len() {
		field := customer.Fields().Get(i)
		if all || slices.Contains(mask.Paths, string(field.Name())) {
			fields = append(fields, field)
		}
	}
	for _, path := range mask.Paths {
		if !all && customer.Fields().ByName(protoreflect.Name(path)) == nil {
			why := fmt.Sprintf("%s has no field %q", customer.Name(), path)
			unknown = append(unknown, &errdetails.BadRequest_FieldViolation{Field: maskName, Description: why, Reason: "field_mask"})
		}
	}
	if unknown != nil {
		return nil, invalid(unknown...)
	}
	return fields, nil
}

func copyFields(fields []protoreflect.FieldDescriptor, from, to *v1.Customer) {
	for _, field := range fields {
		to.ProtoReflect().Set(field, from.ProtoReflect().Get(field))
	}
}

func (s *customerService) GetCustomer(_ context.Context, request *v1.GetCustomerRequest) (*v1.Customer, error) {
	if len(request.GetReadMask().GetPaths()) == 0 {
		return s.store.get(request.Id)
	}
	// An invalid mask is an error for missing customers too.
	fields, err := maskedFields(request.ReadMask, "read_mask")
	if err != nil {
		return nil, err
	}
	customer, err := s.store.get(request.Id)
	if err != nil {
		return nil, err
	}
	masked := &v1.Customer{}
	copyFields(fields, customer, masked)
	return masked, nil
}

func (s *customerService) ListCustomers(_ context.Context, request *v1.ListCustomersRequest) (*v1.ListCustomersResponse, error) {
	size := int(request.PageSize)
	if size == 0 {
		size = defaultPageSize
	}
	after, err := idBefore(request.PageToken)
	if err != nil {
		return nil, err
	}
	customers, more := s.store.page(after, min(size, maxPageSize))
	response := &v1.ListCustomersResponse{Customers: customers}
	if more {
		response.NextPageToken = pageTokenAfter(int64(customers[len(customers)-1].Id))
	}
	return response, nil
}

func (s *customerService) CreateCustomer(_ context.Context, request *v1.CreateCustomerRequest) (*v1.Customer, error) {
	return request.Customer, s.store.add(request.Customer)
}

func (s *customerService) UpdateCustomer(_ context.Context, request *v1.UpdateCustomerRequest) (*v1.Customer, error) {
	given := request.Customer
	var fields []protoreflect.FieldDescriptor
	if len(request.GetUpdateMask().GetPaths()) == 0 {
		// Without a mask, a write changes the attributes that are not empty (AIP-134).
		given.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
			fields = append(fields, field)
			return true
		})
	} else {
		var err error
		if fields, err = maskedFields(request.UpdateMask, "update_mask"); err != nil {
			return nil, err
		}
	}
	return s.store.change(given.Id, func(customer *v1.Customer) { copyFields(fields, given, customer) })
}

func (s *customerService) DeleteCustomer(_ context.Context, request *v1.DeleteCustomerRequest) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, s.store.remove(request.Id)
}
