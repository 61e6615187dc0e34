// Getters and setters of single attributes. A required value is present: the rules were checked before.
package main

import (
	"context"

	v1 "example.com/roundtrip-target/gen/roundtrip/v1"
)

func (s *customerService) GetCustomerId(_ context.Context, request *v1.GetCustomerIdRequest) (*v1.GetCustomerIdResponse, error) {
	customer, err := s.store.get(request.Id)
	return &v1.GetCustomerIdResponse{Id: customer.GetId()}, err
}

func (s *customerService) SetCustomerId(_ context.Context, request *v1.SetCustomerIdRequest) (*v1.SetCustomerIdResponse, error) {
	return &v1.SetCustomerIdResponse{Id: request.NewId}, s.store.rename(request.Id, request.NewId)
}

func (s *customerService) GetCustomerName(_ context.Context, request *v1.GetCustomerNameRequest) (*v1.GetCustomerNameResponse, error) {
	customer, err := s.store.get(request.Id)
	return &v1.GetCustomerNameResponse{Name: customer.GetName()}, err
}

func (s *customerService) SetCustomerName(_ context.Context, request *v1.SetCustomerNameRequest) (*v1.SetCustomerNameResponse, error) {
	value := request.GetName()
	_, err := s.store.change(request.Id, func(customer *v1.Customer) { customer.Name = value })
	return &v1.SetCustomerNameResponse{Name: value}, err
}

func (s *customerService) GetCustomerAddress(_ context.Context, request *v1.GetCustomerAddressRequest) (*v1.GetCustomerAddressResponse, error) {
	customer, err := s.store.get(request.Id)
	return &v1.GetCustomerAddressResponse{Address: customer.GetAddress()}, err
}

func (s *customerService) SetCustomerAddress(_ context.Context, request *v1.SetCustomerAddressRequest) (*v1.SetCustomerAddressResponse, error) {
	value := request.GetAddress()
	_, err := s.store.change(request.Id, func(customer *v1.Customer) { customer.Address = value })
	return &v1.SetCustomerAddressResponse{Address: value}, err
}

func (s *customerService) GetCustomerVatIdentificationNumber(_ context.Context, request *v1.GetCustomerVatIdentificationNumberRequest) (*v1.GetCustomerVatIdentificationNumberResponse, error) {
	customer, err := s.store.get(request.Id)
	return &v1.GetCustomerVatIdentificationNumberResponse{VatIdentificationNumber: customer.GetVatIdentificationNumber()}, err
}

func (s *customerService) SetCustomerVatIdentificationNumber(_ context.Context, request *v1.SetCustomerVatIdentificationNumberRequest) (*v1.SetCustomerVatIdentificationNumberResponse, error) {
	value := request.GetVatIdentificationNumber()
	_, err := s.store.change(request.Id, func(customer *v1.Customer) { customer.VatIdentificationNumber = value })
	return &v1.SetCustomerVatIdentificationNumberResponse{VatIdentificationNumber: value}, err
}

func (s *customerService) GetCustomerMail(_ context.Context, request *v1.GetCustomerMailRequest) (*v1.GetCustomerMailResponse, error) {
	customer, err := s.store.get(request.Id)
	return &v1.GetCustomerMailResponse{Mail: customer.GetMail()}, err
}

func (s *customerService) SetCustomerMail(_ context.Context, request *v1.SetCustomerMailRequest) (*v1.SetCustomerMailResponse, error) {
	value := request.GetMail()
	_, err := s.store.change(request.Id, func(customer *v1.Customer) { customer.Mail = value })
	return &v1.SetCustomerMailResponse{Mail: value}, err
}

func (s *customerService) GetCustomerPhoneNumber(_ context.Context, request *v1.GetCustomerPhoneNumberRequest) (*v1.GetCustomerPhoneNumberResponse, error) {
	customer, err := s.store.get(request.Id)
	return &v1.GetCustomerPhoneNumberResponse{PhoneNumber: customer.GetPhoneNumber()}, err
}

func (s *customerService) SetCustomerPhoneNumber(_ context.Context, request *v1.SetCustomerPhoneNumberRequest) (*v1.SetCustomerPhoneNumberResponse, error) {
	value := request.GetPhoneNumber()
	_, err := s.store.change(request.Id, func(customer *v1.Customer) { customer.PhoneNumber = value })
	return &v1.SetCustomerPhoneNumberResponse{PhoneNumber: value}, err
}
