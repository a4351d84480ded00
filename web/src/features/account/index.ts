export { type Account, accountOn, accountsQuery } from "./api";
