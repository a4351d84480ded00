package stamp

// VerifyChallenge checks an assertion over a challenge of the test's choice, for
// published vectors whose challenge is no hash of a body.
func VerifyChallenge(a Assertion, challenge, publicKey []byte, party RelyingParty) (Gesture, error) {
	return a.verifyChallenge(challenge, publicKey, party)
}
