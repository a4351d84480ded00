package venue

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maximumBody is far above any honest request.
const maximumBody = 256 << 10

// decode reads a JSON body; numbers may not stand where text belongs.
func decode(r *http.Request, into any) error {
	raw, err := io.ReadAll(io.LimitReader(r.Body, maximumBody+1))
	if err != nil || len(raw) > maximumBody {
		return malformed("Request body is too large")
	}
	if err := json.Unmarshal(raw, into); err != nil {
		var wrongType *json.UnmarshalTypeError
		if errors.As(err, &wrongType) {
			return malformed(fmt.Sprintf("body/%s must be %s", wrongType.Field, jsonTypeName(wrongType.Type.String())))
		}
		return malformed("Body is not valid JSON")
	}
	return nil
}

func jsonTypeName(goType string) string {
	switch {
	case goType == "string":
		return "string"
	case strings.HasPrefix(goType, "int"):
		return "number"
	default:
		return goType
	}
}
