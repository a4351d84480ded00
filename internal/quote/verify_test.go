package quote

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

const (
	user      = "0x52908400098527886E0F7030069857D2E4169EE7"
	stranger  = "0x8617E340B3D01FA5F11F306F4090FD50E238070D"
	requestID = "0xab000000000000000000000000000000000000000000000000000000000000cd"
	router    = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"
	deposits  = "0x4cD00E387622C35bDDB9b4c962C136462338BC31"
	solUser   = "7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q"
	solOther  = "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g"
	pool      = "TenfoLdPooL11111111111111111111111111111111"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// scene is an offer and what its transactions say, honest to begin with.
type scene struct {
	offer Offer
	said  []chain.Description
}

func on(chainID int64) catalog.Chain {
	c, _ := catalog.ChainByID(chainID)
	return c
}

func token(chainID int64, kind string) catalog.Asset {
	for _, t := range catalog.TokensOn(chainID) {
		if t.Kind == kind {
			a, _ := on(chainID).AssetAt(t.Address)
			return a
		}
	}
	panic("no " + kind)
}

// swapOfTokens gives 1000 USDT for at least 995 wei on Ethereum, approved after a
// reset.
func swapOfTokens() scene {
	usdt, native := token(1, "usdt"), on(1).NativeAsset()
	approve := func(amount int64) chain.Description {
		return chain.Description{ChainID: 1, Effects: []chain.Effect{{
			Kind: chain.EffectApprove, Asset: usdt.Address, Contract: usdt.Address, Spender: router, Amount: big.NewInt(amount),
		}}}
	}
	return scene{
		Offer{
			Venue: "relay", RequestID: requestID, AmountIn: big.NewInt(1000), AmountOut: big.NewInt(1000), MinimumOut: big.NewInt(995),
			Ask:   Ask{From: usdt, To: native, Amount: big.NewInt(1000), User: user, Recipient: user, SlippageBps: 50},
			Steps: []Step{{StepApprove, 1}, {StepApprove, 1}, {StepSwap, 1}},
		},
		[]chain.Description{approve(0), approve(1000), {ChainID: 1, Effects: []chain.Effect{{
			Kind: chain.EffectSwap, Contract: router, Asset: usdt.Address, Amount: big.NewInt(1000), AssetOut: native.Address,
			MinimumOut: big.NewInt(995), Recipient: user, Deadline: noon.Add(20 * time.Minute).Unix(),
		}}}},
	}
}

// swapOnSolana gives 1000 lamports for at least 995 of USDC.
func swapOnSolana() scene {
	native, usdc := on(catalog.SolanaChainID).NativeAsset(), token(catalog.SolanaChainID, "usdc")
	return scene{
		Offer{
			Venue: "relay", RequestID: requestID, AmountIn: big.NewInt(1000), AmountOut: big.NewInt(1000), MinimumOut: big.NewInt(995),
			Ask:   Ask{From: native, To: usdc, Amount: big.NewInt(1000), User: solUser, Recipient: solUser, SlippageBps: 50},
			Steps: []Step{{StepSwap, catalog.SolanaChainID}},
		},
		[]chain.Description{{ChainID: catalog.SolanaChainID, From: solUser, Effects: []chain.Effect{
			{Kind: chain.EffectCreateAccount, Asset: usdc.Address, Recipient: solUser},
			{
				Kind: chain.EffectSwap, Contract: pool, Asset: native.Address, Amount: big.NewInt(1000),
				AssetOut: usdc.Address, MinimumOut: big.NewInt(995), Recipient: solUser,
			},
		}}},
	}
}

// depositAcross gives 1000 wei on Base for USDC on Solana.
func depositAcross() scene {
	native := on(8453).NativeAsset()
	return scene{
		Offer{
			Venue: "relay", RequestID: requestID, AmountIn: big.NewInt(1000), AmountOut: big.NewInt(2000), MinimumOut: big.NewInt(1990),
			Ask:   Ask{From: native, To: token(catalog.SolanaChainID, "usdc"), Amount: big.NewInt(1000), User: user, Recipient: solUser, SlippageBps: 50},
			Steps: []Step{{StepDeposit, 8453}},
		},
		[]chain.Description{{ChainID: 8453, Effects: []chain.Effect{{
			Kind: chain.EffectDeposit, Contract: deposits, Recipient: deposits, Asset: native.Address, Amount: big.NewInt(1000),
			Depositor: user, RequestID: requestID,
		}}}},
	}
}

// wrapping turns 1000 wei into wrapped ones.
func wrapping() scene {
	native, wrapped := on(1).NativeAsset(), token(1, "wrapped")
	return scene{
		Offer{
			Venue: "relay", RequestID: requestID, AmountIn: big.NewInt(1000), AmountOut: big.NewInt(1000), MinimumOut: big.NewInt(1000),
			Ask:   Ask{From: native, To: wrapped, Amount: big.NewInt(1000), User: user, Recipient: user, SlippageBps: 50},
			Steps: []Step{{StepSwap, 1}},
		},
		[]chain.Description{{ChainID: 1, Effects: []chain.Effect{{
			Kind: chain.EffectWrap, Contract: wrapped.Address, Asset: native.Address, Amount: big.NewInt(1000),
			AssetOut: wrapped.Address, MinimumOut: big.NewInt(1000),
		}}}},
	}
}

// swapThroughTwoPools gives 1000 lamports for at least 995 of USDT, by way of USDC
// whose account it opens.
func swapThroughTwoPools() scene {
	s := swapOnSolana()
	usdt, effects := token(catalog.SolanaChainID, "usdt"), s.said[0].Effects
	s.offer.Ask.To, effects[1].AssetOut, effects[1].Via = usdt, usdt.Address, effects[0].Asset
	return s
}

// unwrapping turns 1000 of wrapped SOL into lamports.
func unwrapping() scene {
	s := swapOnSolana()
	native, wrapped := s.offer.Ask.From, token(catalog.SolanaChainID, "wrapped")
	s.offer.Ask.From, s.offer.Ask.To, s.offer.MinimumOut = wrapped, native, big.NewInt(1000)
	s.said[0].Effects = []chain.Effect{{
		Kind: chain.EffectUnwrap, Asset: wrapped.Address, Amount: big.NewInt(1000),
		AssetOut: native.Address, MinimumOut: big.NewInt(1000), Recipient: solUser,
	}}
	return s
}

func TestVerifyPassesHonestTransactions(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]scene{
		"approved swap": swapOfTokens(), "Solana": swapOnSolana(), "deposit": depositAcross(), "wrap": wrapping(),
		"two pools": swapThroughTwoPools(), "unwrap on Solana": unwrapping(),
	} {
		if err := Verify(s.offer, s.said, noon); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestVerifyNamesEveryLie(t *testing.T) {
	t.Parallel()
	main := func(s *scene) *chain.Effect {
		effects := s.said[len(s.said)-1].Effects
		return &effects[len(effects)-1]
	}
	other := token(1, "usdc").Address
	for name, c := range map[string]struct {
		scene func() scene
		lie   func(*scene)
		want  error
	}{
		"another chain":                {swapOfTokens, func(s *scene) { s.said[2].ChainID = 56 }, ErrChain},
		"a step on another chain":      {swapOfTokens, func(s *scene) { s.offer.Steps[0].ChainID = 56 }, ErrChain},
		"another sender":               {swapOnSolana, func(s *scene) { s.said[0].From = solOther }, ErrSender},
		"one transaction more":         {depositAcross, func(s *scene) { s.said = append(s.said, s.said[0]) }, ErrSteps},
		"no transaction":               {depositAcross, func(s *scene) { s.said, s.offer.Steps = nil, nil }, ErrSteps},
		"nothing but an account":       {swapOnSolana, func(s *scene) { s.said[0].Effects = s.said[0].Effects[:1] }, ErrSteps},
		"an approval and no swap":      {swapOfTokens, func(s *scene) { s.said, s.offer.Steps = s.said[:2], s.offer.Steps[:2] }, ErrSteps},
		"a transfer for a swap":        {swapOfTokens, func(s *scene) { main(s).Kind = chain.EffectTransfer }, ErrSteps},
		"a swap for a deposit":         {depositAcross, func(s *scene) { main(s).Kind = chain.EffectSwap }, ErrSteps},
		"a swap step across chains":    {depositAcross, func(s *scene) { s.offer.Steps[0].Kind = StepSwap }, ErrSteps},
		"an unknown contract":          {swapOfTokens, func(s *scene) { main(s).Contract = stranger }, ErrContract},
		"the depository as a router":   {swapOfTokens, func(s *scene) { main(s).Contract = deposits }, ErrContract},
		"the router as a depository":   {depositAcross, func(s *scene) { main(s).Contract = router }, ErrContract},
		"another venue's contract":     {swapOfTokens, func(s *scene) { s.offer.Venue = "nobody" }, ErrContract},
		"another asset leaves":         {swapOfTokens, func(s *scene) { main(s).Asset = other }, ErrAsset},
		"another asset arrives":        {swapOfTokens, func(s *scene) { main(s).AssetOut = other }, ErrAsset},
		"more leaves":                  {swapOfTokens, func(s *scene) { main(s).Amount = big.NewInt(1001) }, ErrAmount},
		"less leaves":                  {swapOfTokens, func(s *scene) { main(s).Amount = big.NewInt(999) }, ErrAmount},
		"all leaves":                   {swapOfTokens, func(s *scene) { main(s).Amount = nil }, ErrAmount},
		"the offer takes more":         {swapOfTokens, func(s *scene) { s.offer.AmountIn = big.NewInt(1001) }, ErrAmount},
		"another recipient":            {swapOfTokens, func(s *scene) { main(s).Recipient = stranger }, ErrRecipient},
		"another recipient on Solana":  {swapOnSolana, func(s *scene) { main(s).Recipient = solOther }, ErrRecipient},
		"a wrap for another":           {wrapping, func(s *scene) { s.offer.Ask.Recipient = stranger }, ErrRecipient},
		"a wrap of less":               {wrapping, func(s *scene) { main(s).MinimumOut = big.NewInt(999) }, ErrMinimum},
		"another depositor":            {depositAcross, func(s *scene) { main(s).Depositor = stranger }, ErrDepositor},
		"another order":                {depositAcross, func(s *scene) { main(s).RequestID = requestID[:64] + "ee" }, ErrOrder},
		"no order":                     {depositAcross, func(s *scene) { main(s).RequestID = "" }, ErrOrder},
		"a lower minimum":              {swapOfTokens, func(s *scene) { main(s).MinimumOut = big.NewInt(994) }, ErrMinimum},
		"no minimum":                   {swapOnSolana, func(s *scene) { main(s).MinimumOut = nil }, ErrMinimum},
		"more slippage than asked for": {swapOfTokens, func(s *scene) { s.offer.MinimumOut = big.NewInt(993) }, ErrMinimum},
		"a minimum above the amount":   {swapOfTokens, func(s *scene) { s.offer.MinimumOut = big.NewInt(1001) }, ErrOfferItself},
		"nothing arrives":              {swapOfTokens, func(s *scene) { s.offer.AmountOut, s.offer.MinimumOut = new(big.Int), new(big.Int) }, ErrOfferItself},
		"a past deadline":              {swapOfTokens, func(s *scene) { main(s).Deadline = noon.Unix() }, ErrDeadline},
		"a far deadline":               {swapOfTokens, func(s *scene) { main(s).Deadline = noon.Add(2 * time.Hour).Unix() }, ErrDeadline},
		"no deadline":                  {swapOfTokens, func(s *scene) { main(s).Deadline = 0 }, ErrDeadline},
		"an unlimited approval":        {swapOfTokens, func(s *scene) { s.said[1].Effects[0].Amount = new(big.Int).Lsh(big.NewInt(1), 255) }, ErrApproval},
		"a small approval":             {swapOfTokens, func(s *scene) { s.said[1].Effects[0].Amount = big.NewInt(999) }, ErrApproval},
		"an approval of nothing known": {swapOfTokens, func(s *scene) { s.said[1].Effects[0].Amount = nil }, ErrApproval},
		"a first approval of more":     {swapOfTokens, func(s *scene) { s.said[0].Effects[0].Amount = big.NewInt(1) }, ErrApproval},
		"a stranger as spender":        {swapOfTokens, func(s *scene) { s.said[1].Effects[0].Spender = stranger }, ErrSpender},
		"the depository as spender":    {swapOfTokens, func(s *scene) { s.said[1].Effects[0].Spender = deposits }, ErrSpender},
		"an approval of another token": {swapOfTokens, func(s *scene) { s.said[1].Effects[0].Asset = other }, ErrAsset},
		"a transfer as approval":       {swapOfTokens, func(s *scene) { s.said[1].Effects[0].Kind = chain.EffectTransfer }, ErrSteps},
		"two things in an approval": {swapOfTokens, func(s *scene) {
			s.said[1].Effects = append(s.said[1].Effects, s.said[1].Effects[0])
		}, ErrExtra},
		"an approval of a coin": {swapOfTokens, func(s *scene) {
			s.offer.Ask.From, main(s).Asset = on(1).NativeAsset(), on(1).TokenAddress
			s.offer.Ask.To, main(s).AssetOut = token(1, "usdc"), other
		}, ErrSteps},
		"a transfer beside a swap": {swapOnSolana, func(s *scene) {
			s.said[0].Effects = append(s.said[0].Effects, chain.Effect{Kind: chain.EffectTransfer, Recipient: solOther})
		}, ErrExtra},
		"an account for a stranger":      {swapOnSolana, func(s *scene) { s.said[0].Effects[0].Recipient = solOther }, ErrExtra},
		"an account of a strange mint":   {swapOnSolana, func(s *scene) { s.said[0].Effects[0].Asset = solOther }, ErrExtra},
		"an account of no use":           {swapOnSolana, func(s *scene) { s.said[0].Effects[0].Asset = token(catalog.SolanaChainID, "usdt").Address }, ErrExtra},
		"an account of another between":  {swapThroughTwoPools, func(s *scene) { main(s).Via = solOther }, ErrExtra},
		"one between for a stranger":     {swapThroughTwoPools, func(s *scene) { s.said[0].Effects[0].Recipient = solOther }, ErrExtra},
		"an unwrap of an unknown amount": {unwrapping, func(s *scene) { main(s).Amount = nil }, ErrAmount},
		"an unwrap of more":              {unwrapping, func(s *scene) { main(s).Amount = big.NewInt(1001) }, ErrAmount},
		"an unwrap for a stranger":       {unwrapping, func(s *scene) { main(s).Recipient = solOther }, ErrRecipient},
		"an unwrap without a minimum":    {unwrapping, func(s *scene) { main(s).MinimumOut = nil }, ErrMinimum},
		"two swaps":                      {swapOnSolana, func(s *scene) { s.said[0].Effects = append(s.said[0].Effects, *main(s)) }, ErrExtra},
		"an unwrap left over":            {swapOnSolana, func(s *scene) { s.said[0].Effects[0] = chain.Effect{Kind: chain.EffectUnwrap} }, ErrExtra},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := c.scene()
			c.lie(&s)
			err := Verify(s.offer, s.said, noon)
			var f *fault.Error
			if !errors.Is(err, c.want) || !errors.As(err, &f) || f.Code != fault.UnsafeTransaction || f.Message != "Missing required data, aborting swap" {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestVerifyChangesComparesBalances(t *testing.T) {
	t.Parallel()
	usdt, eth, usdc := token(1, "usdt").Address, on(1).TokenAddress, token(1, "usdc").Address
	change := func(asset string, delta int64) chain.Change {
		return chain.Change{Owner: user, Asset: asset, Delta: big.NewInt(delta)}
	}
	theirs := func(asset string, delta int64) chain.Change {
		return chain.Change{Owner: solUser, Asset: asset, Delta: big.NewInt(delta)}
	}
	solCoin, wSOL, solUSDC := on(catalog.SolanaChainID).TokenAddress, token(catalog.SolanaChainID, "wrapped").Address, token(catalog.SolanaChainID, "usdc").Address
	for name, c := range map[string]struct {
		scene   scene
		changes []chain.Change
		rent    int64
		fine    bool
	}{
		"as offered":                   {swapOfTokens(), []chain.Change{change(usdt, -1000), change(eth, 995)}, 0, true},
		"a better price":               {swapOfTokens(), []chain.Change{change(usdt, -1000), change(eth, 1005)}, 0, true},
		"less than the minimum":        {swapOfTokens(), []chain.Change{change(usdt, -1000), change(eth, 994)}, 0, false},
		"nothing arrives":              {swapOfTokens(), []chain.Change{change(usdt, -1000)}, 0, false},
		"more leaves":                  {swapOfTokens(), []chain.Change{change(usdt, -1001), change(eth, 995)}, 0, false},
		"less leaves":                  {swapOfTokens(), []chain.Change{change(usdt, -999), change(eth, 995)}, 0, false},
		"something else leaves":        {swapOfTokens(), []chain.Change{change(usdt, -1000), change(eth, 995), change(usdc, -1)}, 0, false},
		"another's balance":            {swapOfTokens(), []chain.Change{change(usdt, -1000), {Owner: stranger, Asset: eth, Delta: big.NewInt(995)}}, 0, false},
		"nothing at all":               {depositAcross(), nil, 0, false},
		"a deposit":                    {depositAcross(), []chain.Change{change(eth, -1000)}, 0, true},
		"SOL and rent":                 {swapOnSolana(), []chain.Change{theirs(solCoin, -1007), theirs(solUSDC, 995)}, 7, true},
		"SOL and more than the rent":   {swapOnSolana(), []chain.Change{theirs(solCoin, -1008), theirs(solUSDC, 995)}, 7, false},
		"SOL, old wrapped SOL closed":  {swapOnSolana(), []chain.Change{theirs(solCoin, -600), theirs(wSOL, -400), theirs(solUSDC, 995)}, 0, true},
		"SOL, and wrapped SOL is gone": {swapOnSolana(), []chain.Change{theirs(solCoin, -1000), theirs(wSOL, -400), theirs(solUSDC, 995)}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := VerifyChanges(c.scene.offer, c.changes, big.NewInt(c.rent))
			if c.fine && err != nil || !c.fine && (!errors.Is(err, ErrBalance) || fault.CodeOf(err) != fault.UnsafeTransaction) {
				t.Errorf("got %v", err)
			}
		})
	}
}
