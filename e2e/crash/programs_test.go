// Package crash drives the real programs of the product, started as an operator
// would start them: every kind of movement, every bad input, faults of what the
// app server depends on, and the app server killed in the middle of things. What
// counts is what the chains say afterwards.
package crash

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"tenfold/internal/stamp"
)

// repository is the checkout, seen from this folder.
const repository = "../.."

// shared is the local network and the custody service that every test uses,
// each with an app server of its own. They are never killed: the chains are the
// oracle.
var shared struct {
	programs   string // folder of the built binaries
	data       string
	network    network
	custodyURL string
	keyFile    string
	// appURLs are the origins that custody knows, one per app server.
	appURLs []string
	next    int
	mu      sync.Mutex
}

// appServers is how many app servers the tests may start.
const appServers = 11

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	folder, err := os.MkdirTemp("", "tenfold-crash-")
	if err != nil {
		log.Print(err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	shared.programs, shared.data = filepath.Join(folder, "bin"), folder
	build := exec.Command("go", "build", "-o", shared.programs+"/", "./cmd/tenfold", "./cmd/localnet")
	build.Dir, build.Stderr = repository, os.Stderr
	if err := build.Run(); err != nil {
		log.Print("build the programs: ", err)
		return 1
	}
	children, err := startShared()
	defer func() {
		for _, c := range children {
			c.stop()
			if code != 0 {
				log.Printf("%s:\n%s", c.name, c.log)
			}
		}
	}()
	if err != nil {
		log.Print("start the local network and custody: ", err)
		return 1
	}
	return m.Run()
}

// network is what `localnet --json` says.
type network struct {
	Chains []struct {
		ID     int64  `json:"id"`
		RPCURL string `json:"rpcUrl"`
	} `json:"chains"`
	Venue struct {
		URL string `json:"url"`
	} `json:"venue"`
	Faucet struct {
		URL string `json:"url"`
	} `json:"faucet"`
}

func rpc(t *testing.T, chainID int64) string {
	t.Helper()
	for _, c := range shared.network.Chains {
		if c.ID == chainID {
			return c.RPCURL
		}
	}
	t.Fatalf("the local network has no chain %d", chainID)
	return ""
}

// startShared starts the local network and custody and waits for both.
func startShared() ([]*child, error) {
	if _, err := os.Stat(filepath.Join(repository, "localnet", "node_modules", "litesvm")); err != nil {
		return nil, errors.New("the local network's packages are missing; run npm ci in localnet")
	}
	ports, err := freePorts(4 + appServers)
	if err != nil {
		return nil, err
	}
	for _, port := range ports[4:] {
		shared.appURLs = append(shared.appURLs, fmt.Sprintf("http://localhost:%d", port))
	}
	localnet, err := launch("localnet", nil, "--json",
		"--data", filepath.Join(shared.data, "localnet"), "--assets", filepath.Join(repository, "localnet"),
		"--evm-port", fmt.Sprint(ports[0]), "--solana-port", fmt.Sprint(ports[1]), "--venue-port", fmt.Sprint(ports[2]))
	if err != nil {
		return nil, err
	}
	custody, err := startCustody(ports[3])
	if err != nil {
		return []*child{localnet}, err
	}
	children := []*child{localnet, custody}
	if err := json.NewDecoder(localnet.stdout).Decode(&shared.network); err != nil {
		return children, fmt.Errorf("read the local network's document: %w", err)
	}
	return children, waitHealthy(shared.custodyURL + "/health")
}

func startCustody(port int) (*child, error) {
	scalar, public, err := stamp.NewKey()
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(shared.data, "custody")
	program := filepath.Join(shared.programs, "tenfold")
	initialise := exec.Command(program, "custody", "init", "--data", folder, "--organization-name", "Tenfold", "--api-public-key", public)
	initialise.Stderr = os.Stderr
	out, err := initialise.Output()
	if err != nil {
		return nil, fmt.Errorf("custody init: %w", err)
	}
	var parent struct {
		OrganizationID string `json:"organizationId"`
	}
	if err := json.Unmarshal(out, &parent); err != nil {
		return nil, err
	}
	key, err := json.Marshal(map[string]string{
		"organizationId": parent.OrganizationID, "apiPublicKey": public, "apiPrivateKey": fmt.Sprintf("%x", scalar.Expose()),
	})
	if err != nil {
		return nil, err
	}
	shared.keyFile = filepath.Join(shared.data, "custody-key.json")
	if err := os.WriteFile(shared.keyFile, key, 0o600); err != nil {
		return nil, err
	}
	shared.custodyURL = fmt.Sprintf("http://localhost:%d", port)
	arguments := []string{"custody", "--data", folder, "--listen", fmt.Sprintf("localhost:%d", port), "--rp-id", "localhost"}
	for _, origin := range shared.appURLs {
		arguments = append(arguments, "--origin", origin)
	}
	return launch("tenfold", nil, arguments...)
}
