export { type Portfolio, type PortfolioAsset, portfolioKeys, portfolioQuery } from "./api";
