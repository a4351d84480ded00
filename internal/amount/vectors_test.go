package amount

import (
	"encoding/json"
	"math/big"
	"os"
	"testing"
)

// The page runs the same vectors: both must show amounts alike.
func TestSharedVectors(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../catalog/vectors/amounts.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			BaseUnits string `json:"baseUnits"`
			Decimals  int    `json:"decimals"`
			Text      string `json:"text"`
		} `json:"vectors"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	for _, vector := range file.Vectors {
		units, ok := new(big.Int).SetString(vector.BaseUnits, 10)
		if !ok {
			t.Fatalf("%q is no integer", vector.BaseUnits)
		}
		if got := Format(units, vector.Decimals); got != vector.Text {
			t.Errorf("Format(%s, %d) = %q, want %q", units, vector.Decimals, got, vector.Text)
		}
	}
}
