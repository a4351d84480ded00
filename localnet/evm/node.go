package evm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/eth"
	"github.com/ethereum/go-ethereum/eth/catalyst"
	"github.com/ethereum/go-ethereum/eth/ethconfig"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/node"
	"github.com/ethereum/go-ethereum/p2p"
	"github.com/ethereum/go-ethereum/rpc"
)

// ErrDataDirInUse: another process runs chains from the same folder.
var ErrDataDirInUse = errors.New("the data folder is in use by another local network")

// chain is one running node with its committer and its public JSON-RPC server.
type chain struct {
	spec   Spec
	stack  *node.Node
	server *rpc.Server
	client *ethclient.Client

	stopCommitter context.CancelFunc
	committed     chan struct{} // closed when the committer has ended
}

// startChain runs the chain of the folder, beginning it from genesis when the
// folder is new.
func startChain(spec Spec, dir string, genesis *core.Genesis, log *slog.Logger) (_ *chain, err error) {
	stack, err := node.New(nodeConfig(spec, dir))
	if errors.Is(err, node.ErrDatadirUsed) {
		return nil, ErrDataDirInUse
	}
	if err != nil {
		return nil, fmt.Errorf("create node: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, stack.Close())
		}
	}()
	backend, err := eth.New(stack, chainSettings(spec, genesis))
	if err != nil {
		return nil, fmt.Errorf("open chain: %w", err)
	}
	beacon, err := catalyst.NewSimulatedBeacon(0, common.Address{}, backend)
	if err != nil {
		return nil, fmt.Errorf("create sealer: %w", err)
	}
	stack.RegisterLifecycle(beacon)
	server, err := newPublicServer(backend)
	if err != nil {
		return nil, err
	}
	if err := stack.Start(); err != nil {
		return nil, fmt.Errorf("start node: %w", err)
	}
	backend.SetSynced()
	// Until the first block eth_syncing would say that the node is behind.
	if backend.BlockChain().CurrentBlock().Number.Sign() == 0 {
		beacon.Commit()
	}
	awaitIndex(backend)
	c := &chain{
		spec: spec, stack: stack, server: server,
		client: ethclient.NewClient(rpc.DialInProc(server)), committed: make(chan struct{}),
	}
	c.runCommitter(&committer{chain: backend, beacon: beacon, tail: spec.Confirmations, log: log})
	return c, nil
}

// awaitIndex waits a moment until the node knows its own transactions again;
// until then it answers questions about receipts with an error.
func awaitIndex(backend *eth.Ethereum) {
	const patience, interval = time.Second, 5 * time.Millisecond
	for waited := time.Duration(0); waited < patience && !backend.BlockChain().TxIndexDone(); waited += interval {
		time.Sleep(interval)
	}
}

func (c *chain) runCommitter(sealer *committer) {
	var ctx context.Context
	ctx, c.stopCommitter = context.WithCancel(context.Background())
	go func() {
		defer close(c.committed)
		sealer.run(ctx)
	}()
}

// close stops sealing first, then the server, then the node, so that nothing
// is written to a closed database.
func (c *chain) close() error {
	c.stopCommitter()
	<-c.committed
	c.client.Close()
	c.server.Stop()
	if err := c.stack.Close(); err != nil {
		return fmt.Errorf("close %s: %w", c.spec.Name, err)
	}
	return nil
}

// nodeConfig is a node without peers and without listeners of its own: the
// network's one HTTP server speaks for all nodes.
func nodeConfig(spec Spec, dir string) *node.Config {
	config := node.DefaultConfig
	config.Name = "node"
	config.DataDir = filepath.Join(dir, strconv.FormatInt(spec.ChainID, 10))
	// With the default engine a killed process loses the whole chain: small
	// writes stay in its memory. LevelDB hands each of them to the system.
	config.DBEngine = "leveldb"
	config.UseLightweightKDF = true
	config.IPCPath = ""
	config.HTTPHost, config.WSHost = "", ""
	config.P2P = p2p.Config{NoDiscovery: true, NoDial: true, MaxPeers: 0, ListenAddr: ""}
	return &config
}

func chainSettings(spec Spec, genesis *core.Genesis) *ethconfig.Config {
	settings := ethconfig.Defaults
	settings.Genesis = genesis
	settings.NetworkId = uint64(spec.ChainID)
	settings.SyncMode = ethconfig.FullSync
	settings.LogNoHistory = true
	settings.DatabaseCache, settings.DatabaseHandles = 16, 64
	settings.TrieCleanCache, settings.TrieDirtyCache, settings.SnapshotCache = 8, 8, 8
	// Every state goes to disk with its block, so that a killed process finds
	// the state of its last block again.
	settings.StateScheme, settings.NoPruning = "hash", true
	// The pool must refuse what the sealer would not take; else a transaction
	// would wait for ever.
	floor := tipFloor(spec.ChainID)
	settings.TxPool.NoLocals = true
	settings.TxPool.PriceLimit = floor
	settings.Miner.GasPrice = new(big.Int).SetUint64(floor)
	settings.Miner.GasCeil = blockGasLimit
	return &settings
}
