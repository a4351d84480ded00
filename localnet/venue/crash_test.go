package venue_test

const childConfig = "VENUE_TEST_CHILD"

func runChildVenue() int { return 0 }
