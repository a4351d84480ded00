export { SwapPage } from "./ui/SwapPage";
