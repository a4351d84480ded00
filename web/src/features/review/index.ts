export type { Intent } from "./agreement";
export { createMovement, type Movement, type MovementRequest } from "./api";
export type { FactRow } from "./ui/Facts";
export { ReviewCard } from "./ui/ReviewCard";
