package network

import (
	"errors"
	"os"
	"path/filepath"
)

// FindAssets gives the localnet folder of the checkout, which holds
// node_modules, the Solana service and the seed prices. It is looked for beside
// the executable's folder, then in the working directory and its parents.
func FindAssets() (string, error) {
	var starts []string
	if executable, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(filepath.Dir(executable)))
	}
	if here, err := os.Getwd(); err == nil {
		for {
			starts = append(starts, here)
			parent := filepath.Dir(here)
			if parent == here {
				break
			}
			here = parent
		}
	}
	for _, start := range starts {
		folder := filepath.Join(start, "localnet")
		if _, err := os.Stat(filepath.Join(folder, "prices.json")); err == nil {
			return folder, nil
		}
	}
	return "", errors.New("the localnet folder was not found; run from the checkout or name it with --assets")
}
