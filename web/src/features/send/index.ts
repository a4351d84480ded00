export { fetchMaximum, type MaximumTransfer } from "./api";
export { SendPage } from "./ui/SendPage";
