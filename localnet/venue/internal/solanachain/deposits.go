package solanachain

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"tenfold/localnet/venue/internal/trade"
)

// signaturesAtOnce is the most that one request for signatures gives.
const signaturesAtOnce = 1_000

// depositEvent is sha256("event:DepositEvent")[:8].
var depositEvent = mustHex("78f83d531f8e6b90")

// Lengths of the event in a log line: discriminator, depositor, token marker,
// mint when it is a token, amount, id.
const (
	nativeEventSize = 8 + 32 + 1 + 8 + 32
	tokenEventSize  = nativeEventSize + 32
)

var errNotADeposit = errors.New("not a deposit event")

// Deposits implements solver.Chain. The cursor is the last signature that was
// read; empty before the first.
func (c *Chain) Deposits(ctx context.Context, cursor string) ([]trade.Deposit, string, error) {
	signatures, err := c.signaturesSince(ctx, cursor)
	if err != nil || len(signatures) == 0 {
		return nil, cursor, err
	}
	var deposits []trade.Deposit
	// The node lists the newest first.
	for i := len(signatures) - 1; i >= 0; i-- {
		if signatures[i].Err != nil {
			continue
		}
		found, err := c.depositsIn(ctx, signatures[i].Signature)
		if err != nil {
			return nil, "", err
		}
		deposits = append(deposits, found...)
	}
	return deposits, signatures[0].Signature.String(), nil
}

func (c *Chain) signaturesSince(ctx context.Context, cursor string) ([]*rpc.TransactionSignature, error) {
	limit := signaturesAtOnce
	options := &rpc.GetSignaturesForAddressOpts{Limit: &limit, Commitment: rpc.CommitmentConfirmed}
	if cursor != "" {
		last, err := solana.SignatureFromBase58(cursor)
		if err != nil {
			return nil, fmt.Errorf("cursor of Solana: %w", err)
		}
		options.Until = last
	}
	var all []*rpc.TransactionSignature
	for {
		page, err := c.client.GetSignaturesForAddressWithOpts(ctx, c.programs.DepositoryState, options)
		if err != nil {
			return nil, fmt.Errorf("read deposits of Solana: %w", err)
		}
		all = append(all, page...)
		if len(page) < limit {
			return all, nil
		}
		options.Before = page[len(page)-1].Signature
	}
}

func (c *Chain) depositsIn(ctx context.Context, signature solana.Signature) ([]trade.Deposit, error) {
	answer, err := c.transaction(ctx, signature)
	if err != nil {
		return nil, err
	}
	if answer.Meta == nil || answer.Meta.Err != nil {
		return nil, nil
	}
	var deposits []trade.Deposit
	for position, data := range programData(answer.Meta.LogMessages, c.programs.Depository.String()) {
		deposit, err := c.parseDeposit(data)
		if errors.Is(err, errNotADeposit) {
			continue
		}
		deposit.Hash, deposit.Position = signature.String(), position
		deposits = append(deposits, deposit)
	}
	return deposits, nil
}

func (c *Chain) transaction(ctx context.Context, signature solana.Signature) (*rpc.GetTransactionResult, error) {
	version := uint64(0)
	answer, err := c.client.GetTransaction(ctx, signature, &rpc.GetTransactionOpts{
		Commitment: rpc.CommitmentConfirmed, Encoding: solana.EncodingBase64, MaxSupportedTransactionVersion: &version,
	})
	if err != nil {
		return nil, fmt.Errorf("read transaction of Solana: %w", err)
	}
	return answer, nil
}

// programData gives what the program logged as data. Any program can log a line
// that looks like it, so the stack of running programs is followed: a line counts
// only while the named program is the one that runs.
func programData(lines []string, program string) [][]byte {
	var data [][]byte
	var running []string
	for _, line := range lines {
		words := strings.Fields(line)
		switch {
		case len(words) >= 3 && words[0] == "Program" && words[2] == "invoke":
			running = append(running, words[1])
		case len(words) >= 3 && words[0] == "Program" && (words[2] == "success" || words[2] == "failed:"):
			if len(running) > 0 {
				running = running[:len(running)-1]
			}
		case len(words) == 3 && words[0] == "Program" && words[1] == "data:" && len(running) > 0 && running[len(running)-1] == program:
			if raw, err := base64.StdEncoding.DecodeString(words[2]); err == nil {
				data = append(data, raw)
			}
		}
	}
	return data
}

func (c *Chain) parseDeposit(raw []byte) (trade.Deposit, error) {
	deposit := trade.Deposit{ChainID: c.facts.ID, Asset: c.facts.TokenAddress}
	isToken := len(raw) == tokenEventSize && raw[40] == 1
	isNative := len(raw) == nativeEventSize && raw[40] == 0
	if !isToken && !isNative || !bytes.HasPrefix(raw, depositEvent) {
		return deposit, errNotADeposit
	}
	deposit.Depositor = solana.PublicKeyFromBytes(raw[8:40]).String()
	rest := raw[41:]
	if isToken {
		deposit.Asset = solana.PublicKeyFromBytes(rest[:32]).String()
		rest = rest[32:]
	}
	deposit.Amount = new(big.Int).SetUint64(binary.LittleEndian.Uint64(rest))
	copy(deposit.ID[:], rest[8:])
	return deposit, nil
}
