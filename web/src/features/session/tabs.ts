import * as v from "valibot";

const channelName = "tenfold.session";
const thisTab = crypto.randomUUID();

const newsSchema = v.object({
  tab: v.string(),
  /** Who logged in; null when somebody logged out. */
  organizationId: v.nullable(v.string()),
});

/** Tells the other tabs who logged in here, or with null that the person logged out. */
export function tellTabs(organizationId: string | null): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ tab: thisTab, organizationId });
  channel.close();
}

/** Hears what other tabs tell. Returns the way to stop. */
export function hearTabs(hear: (organizationId: string | null) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }) => {
    const news = v.safeParse(newsSchema, data);
    if (news.success && news.output.tab !== thisTab) hear(news.output.organizationId);
  };
  return () => channel.close();
}
