package custodyclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"tenfold/internal/fault"
)

// The activity that creates a person's sub-organization.
const (
	createSubOrganizationPath   = "/public/v1/submit/create_sub_organization"
	createSubOrganizationType   = "ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7"
	createSubOrganizationResult = "createSubOrganizationResultV7"
	statusCompleted             = "ACTIVITY_STATUS_COMPLETED"
)

// ServerSign sends an allow-listed call as the parent organization and gives
// the provider's result as JSON, with the activity beside the result's fields.
// A method that is not listed is fault unauthorized_method, parameters that are
// not exactly the sign-up's fault invalid_request, a refusal custody_refused
// with the provider's message.
func (c *Client) ServerSign(ctx context.Context, methodName string, params []byte) ([]byte, error) {
	if methodName != "createSubOrganization" {
		return nil, fault.New(fault.UnauthorizedMethod, "Unauthorized proxy method")
	}
	request, err := decodeSubOrganization(params)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, "The wallet can't be created from these parameters.", err)
	}
	return c.submit(ctx, createSubOrganizationPath, createSubOrganizationType, createSubOrganizationResult, request)
}

// submit sends an activity and merges its result with the activity, as the
// provider's own client does.
func (c *Client) submit(ctx context.Context, path, activityType, resultKey string, parameters any) ([]byte, error) {
	var answer struct {
		Activity json.RawMessage `json:"activity"`
	}
	err := c.call(ctx, path, map[string]any{
		"type": activityType, "organizationId": c.organizationID, "parameters": parameters,
		"timestampMs": strconv.FormatInt(c.now().UnixMilli(), 10),
	}, &answer)
	if err != nil {
		return nil, AsFault(err)
	}
	var activity struct {
		Status string                                `json:"status"`
		Result map[string]map[string]json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(answer.Activity, &activity); err != nil {
		return nil, unavailable(path, err)
	}
	result, ok := activity.Result[resultKey]
	if activity.Status != statusCompleted || !ok {
		return nil, fault.New(fault.CustodyRefused, "Expected COMPLETED status, got "+activity.Status)
	}
	result["activity"] = answer.Activity
	return json.Marshal(result)
}

// onlyParameter unwraps the list with one element that the provider's own
// browser client sends; other clients send the parameters themselves.
func onlyParameter(params []byte) ([]byte, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(params), []byte("[")) {
		return params, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(params, &list); err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, errors.New("params must be one object")
	}
	return list[0], nil
}
