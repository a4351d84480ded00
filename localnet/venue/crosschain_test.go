package venue_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/gagliardetto/solana-go"
)

// crossing is one cross-chain pair; units are thousandths of a coin.
type crossing struct {
	name         string
	from, to     int64
	in, out      string
	units        int64
	throughPools bool // the solver buys the output: pools may move in between
}

// Every kind of asset crosses in every direction between the two worlds, and
// what arrives is what was quoted.
func TestCrossChainOrdersArrive(t *testing.T) {
	t.Parallel()
	for _, c := range []crossing{
		{name: "ETH on Base to USDC on Solana", from: base, to: solanaID, in: "native", out: "USDC", units: 500},
		{name: "ETH on Base to SOL", from: base, to: solanaID, in: "native", out: "native", units: 100},
		{name: "USDC on BSC (18) to USDC on Base (6)", from: bsc, to: base, in: "USDC", out: "USDC", units: 50_000},
		{name: "USDC on Base to BNB", from: base, to: bsc, in: "USDC", out: "native", units: 50_000},
		{name: "ETH to USDT on BSC", from: ethereum, to: bsc, in: "native", out: "USDT", units: 100, throughPools: true},
		{name: "ETH to WBNB", from: ethereum, to: bsc, in: "native", out: "wrapped", units: 100, throughPools: true},
		{name: "USDC on Ethereum to wrapped SOL", from: ethereum, to: solanaID, in: "USDC", out: "wrapped", units: 50_000},
		{name: "USDC on Ethereum to USDT on Solana", from: ethereum, to: solanaID, in: "USDC", out: "USDT", units: 50_000, throughPools: true},
		{name: "USDT on Ethereum to SOL", from: ethereum, to: solanaID, in: "USDT", out: "native", units: 50_000},
		{name: "WETH on Base to USDC on Ethereum", from: base, to: ethereum, in: "wrapped", out: "USDC", units: 200},
		{name: "wrapped SOL to BNB", from: solanaID, to: bsc, in: "wrapped", out: "native", units: 1_000},
		{name: "USDT on Solana to USDC on Base", from: solanaID, to: base, in: "USDT", out: "USDC", units: 40_000},
		{name: "SOL to ETH", from: solanaID, to: ethereum, in: "native", out: "native", units: 1_000},
		{name: "USDC on Solana to USDT on Ethereum", from: solanaID, to: ethereum, in: "USDC", out: "USDT", units: 40_000, throughPools: true},
		{name: "USDC on Solana to WETH on Base", from: solanaID, to: base, in: "USDC", out: "wrapped", units: 40_000, throughPools: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

func (c crossing) run(t *testing.T) {
	in := asset(t, c.from, c.in)
	units := coins(c.units, in)
	units.Quo(units, big.NewInt(1_000))
	request := pair(t, c.from, c.in, c.to, c.out, units)
	recipient, received := newRecipient(t, c.to, c.out)

	var q quoteJSON
	var hash string
	if c.from == solanaID {
		user := newSolanaUser(t)
		user.acquire(t, c.in, units)
		q = quote(t, request.with(object{"user": user.address().String(), "recipient": recipient, "refundTo": user.address().String()}))
		hash = user.execute(t, q)
	} else {
		user := newEVMUser(t, c.from)
		user.acquire(t, c.from, c.in, units)
		q = quote(t, request.with(object{"user": user.address.Hex(), "recipient": recipient, "refundTo": user.address.Hex()}))
		hash, _ = user.execute(t, q)
	}
	if q.Steps[len(q.Steps)-1].ID != "deposit" || q.Details.Operation != "bridge" {
		t.Errorf("operation %s with steps %s", q.Details.Operation, q.stepIDs())
	}
	index(t, c.from, hash, "")
	status := final(t, q, "success")
	if len(status.TxHashes) != 1 || len(status.InTxHashes) != 1 || status.InTxHashes[0] != hash {
		t.Errorf("hashes in %v and out %v, deposit %s", status.InTxHashes, status.TxHashes, hash)
	}
	got := received()
	if got.Cmp(q.minimum(t)) < 0 {
		t.Errorf("arrived %s, less than the minimum %s", got, q.minimum(t))
	}
	if !c.throughPools {
		same(t, "arrived", got, q.out(t))
	}
}

// acquire gets an asset that a new user does not have, through the venue.
func (u evmUser) acquire(t *testing.T, chainID int64, kind string, units *big.Int) {
	t.Helper()
	switch kind {
	case "wrapped":
		u.execute(t, quote(t, pair(t, chainID, "native", chainID, kind, units).with(object{"user": u.address.Hex()})))
	case "USDT":
		u.fund(t, chainID, asset(t, chainID, kind), units)
	}
}

func (u solanaUser) acquire(t *testing.T, kind string, units *big.Int) {
	t.Helper()
	from, spend := "native", units
	switch kind {
	case "USDT":
		from, spend = "USDC", new(big.Int).Mul(units, big.NewInt(2))
	case "wrapped":
	default:
		return
	}
	u.execute(t, quote(t, pair(t, solanaID, from, solanaID, kind, spend).with(object{"user": u.address().String()})))
}

// newRecipient is an account that owns nothing, and a reading of what it got.
func newRecipient(t *testing.T, chainID int64, kind string) (address string, received func() *big.Int) {
	t.Helper()
	of := asset(t, chainID, kind)
	if chainID == solanaID {
		key := solana.NewWallet().PublicKey()
		return key.String(), func() *big.Int { return solanaBalance(t, key, of) }
	}
	account := newEVMUser(t).address
	return account.Hex(), func() *big.Int { return balance(t, chainID, account, of) }
}

// bridge is a quote of 100 USDC from Base to USDC on BSC.
func bridge(t *testing.T, user evmUser, recipient common.Address, fields object) quoteJSON {
	t.Helper()
	units := coins(100, asset(t, base, "USDC"))
	return quote(t, pair(t, base, "USDC", bsc, "USDC", units).with(object{
		"user": user.address.Hex(), "recipient": recipient.Hex(), "refundTo": user.address.Hex(),
	}).with(fields))
}

// Refunds bring everything back but the network's fee, and nothing arrives.
func TestOrdersThatCannotBeFilledAreRefunded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ referrer, reason string }{
		{"debug-force-refund", "MANUAL_ADMIN_REFUND"},
		{"fault-fill-slippage", "SLIPPAGE"},
		{"fault-fill-too-little", "TOO_LITTLE_RECEIVED"},
		{"fault-fill-no-quotes", "NO_QUOTES"},
		{"fault-price-drift", "TOO_LITTLE_RECEIVED"},
	} {
		t.Run(test.referrer, func(t *testing.T) {
			t.Parallel()
			user, recipient := newEVMUser(t, base), newEVMUser(t)
			q := bridge(t, user, recipient.address, object{"referrer": test.referrer})
			user.execute(t, q)
			status := final(t, q, "refund")
			if status.FailReason != test.reason || status.RefundFailReason != "N/A" || len(status.TxHashes) != 1 {
				t.Errorf("refunded with %+v, want reason %s and one transaction", status, test.reason)
			}
			same(t, "arrived", balance(t, bsc, recipient.address, asset(t, bsc, "USDC")), new(big.Int))
			refundedAlmostAll(t, user)
		})
	}
}

// refundedAlmostAll: the user had 10,000 USDC; a refund costs less than a dollar.
func refundedAlmostAll(t *testing.T, user evmUser) {
	t.Helper()
	usdc := asset(t, base, "USDC")
	held := balance(t, base, user.address, usdc)
	if held.Cmp(coins(9_999, usdc)) < 0 || held.Cmp(coins(10_000, usdc)) >= 0 {
		t.Errorf("after the refund of 100 USDC there are %s units of 10,000 USDC", held)
	}
}

func TestSolanaDepositIsRefundedOnSolana(t *testing.T) {
	t.Parallel()
	user, recipient := newSolanaUser(t), newEVMUser(t)
	sol := asset(t, solanaID, "native")
	q := quote(t, pair(t, solanaID, "native", base, "USDC", big.NewInt(1_000_000_000)).with(object{
		"user": user.address().String(), "recipient": recipient.address.Hex(), "referrer": "debug-force-refund",
	}))
	user.execute(t, q)
	final(t, q, "refund")
	held := solanaBalance(t, user.address(), sol)
	if lost := minus(big.NewInt(50_000_000_000), held); lost.Cmp(big.NewInt(20_000)) > 0 {
		t.Errorf("the refund cost %s lamports", lost)
	}
}

// A deposit that is not what was quoted goes back, whoever made it.
func TestWrongDepositsAreRefunded(t *testing.T) {
	t.Parallel()
	usdc := asset(t, base, "USDC")
	usdcAddress := common.HexToAddress(usdc.Address)
	for _, test := range []struct {
		name, reason string
		deposit      func(t *testing.T, user evmUser, id [32]byte)
	}{
		{"too little", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL", func(t *testing.T, user evmUser, id [32]byte) {
			user.depositToken(t, user.address, usdcAddress, coins(99, usdc), id)
		}},
		{"another currency", "INCORRECT_DEPOSIT_CURRENCY", func(t *testing.T, user evmUser, id [32]byte) {
			user.depositNative(t, user.address, coins(1, asset(t, base, "native")), id)
		}},
		{"another depositor", "INVALID_SENDER", func(t *testing.T, user evmUser, id [32]byte) {
			newEVMUser(t, base).depositToken(t, common.Address{}, usdcAddress, coins(100, usdc), id)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			user, recipient := newEVMUser(t, base), newEVMUser(t)
			q := bridge(t, user, recipient.address, nil)
			test.deposit(t, user, [32]byte(common.HexToHash(q.Steps[0].RequestID)))
			if status := final(t, q, "refund"); status.FailReason != test.reason {
				t.Errorf("reason %s, want %s", status.FailReason, test.reason)
			}
			same(t, "arrived", balance(t, bsc, recipient.address, asset(t, bsc, "USDC")), new(big.Int))
		})
	}
}

// A recipient that cannot be paid (a contract that reverts, one that burns all
// gas) gets nothing, and the user gets his deposit back.
func TestRecipientThatRefusesLeadsToARefund(t *testing.T) {
	t.Parallel()
	for name, contract := range map[string]common.Address{
		"reverts": depository(t), "burns the gas": common.HexToAddress("0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			user := newEVMUser(t, base)
			q := quote(t, pair(t, base, "USDC", bsc, "native", coins(100, asset(t, base, "USDC"))).with(object{
				"user": user.address.Hex(), "recipient": contract.Hex(),
			}))
			user.execute(t, q)
			if status := final(t, q, "refund"); status.FailReason != "EXECUTION_REVERTED" {
				t.Errorf("reason %s", status.FailReason)
			}
			refundedAlmostAll(t, user)
		})
	}
}

// The order is filled once; a second deposit with its id comes back.
func TestSecondDepositOfAnOrderIsGivenBack(t *testing.T) {
	t.Parallel()
	user, recipient := newEVMUser(t, base), newEVMUser(t)
	usdc := asset(t, base, "USDC")
	q := bridge(t, user, recipient.address, nil)
	user.execute(t, q)
	final(t, q, "success")
	user.depositToken(t, user.address, common.HexToAddress(usdc.Address), coins(100, usdc), [32]byte(common.HexToHash(q.Steps[0].RequestID)))
	almost := minus(coins(9_900, usdc), coins(1, usdc))
	eventually(t, "the second deposit to come back", func() bool {
		return balance(t, base, user.address, usdc).Cmp(almost) > 0
	})
	same(t, "arrived", balance(t, bsc, recipient.address, asset(t, bsc, "USDC")), q.out(t))
	if status := statusOf(t, q); status.Status != "success" {
		t.Errorf("status %s after the second deposit", status.Status)
	}
}

// A deposit that cannot be given back leaves the order failed, and says so.
func TestRefundThatFailsIsAFailure(t *testing.T) {
	t.Parallel()
	user, recipient := newEVMUser(t, base), newEVMUser(t)
	q := bridge(t, user, recipient.address, object{"referrer": "fault-refund-failed"})
	user.execute(t, q)
	status := final(t, q, "failure")
	if status.FailReason != "SLIPPAGE" || status.RefundFailReason != "MANUAL_REFUND_REQUIRED" {
		t.Errorf("reasons %s and %s", status.FailReason, status.RefundFailReason)
	}
}

// depositToken and depositNative call the depository as anybody could.
func (u evmUser) depositToken(t *testing.T, depositor, tokenAddress common.Address, units *big.Int, id [32]byte) {
	t.Helper()
	u.mustCall(t, tokenAddress, new(big.Int), "approve", depository(t), units)
	// The compiler's output lists the overload without an amount first, and
	// go-ethereum numbers the second.
	u.mustCall(t, depository(t), new(big.Int), "depositErc200", depositor, tokenAddress, units, id)
}

func (u evmUser) depositNative(t *testing.T, depositor common.Address, wei *big.Int, id [32]byte) {
	t.Helper()
	u.mustCall(t, depository(t), wei, "depositNative", depositor, id)
}

func depository(t *testing.T) common.Address {
	t.Helper()
	return common.HexToAddress("0x4cd00e387622c35bddb9b4c962c136462338bc31")
}

// mustCall encodes with the compiled contracts' own interfaces.
func (u evmUser) mustCall(t *testing.T, to common.Address, wei *big.Int, method string, args ...any) {
	t.Helper()
	contract := shared.set.Depository.ABI
	if method == "approve" {
		contract = shared.set.Token.ABI
	}
	data, err := contract.Pack(method, args...)
	if err != nil {
		t.Fatal(err)
	}
	if receipt := u.sendCall(t, base, to, wei, data); receipt.Status != 1 {
		t.Fatalf("%s reverted", method)
	}
}
