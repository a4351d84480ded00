import { useEffect } from "react";
import { logOut } from "./actions";

const channelName = "tenfold.session";

/** Tells the other tabs that the person logged out here. */
export function tellLogOut(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage("logged out");
  channel.close();
}

/** Logs out here when the person logs out in another tab. */
export function useLogOutElsewhere(): void {
  useEffect(() => {
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = () => void logOut();
    return () => channel.close();
  }, []);
}
