export { signWithSession } from "./actions";
export { type Config, configQuery } from "./api";
export { endSession, keepPeopleApart, newWalletStore, phaseStore, sessions } from "./store";
export { LogOutButton } from "./ui/LogOutButton";
export { SessionBadge } from "./ui/SessionBadge";
export { SessionGate } from "./ui/SessionGate";
